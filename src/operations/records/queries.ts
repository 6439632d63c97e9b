import { Type } from '@sinclair/typebox';
import { defaulted, operation } from '../operation.js';

/** Characters of a message that stand for its name. */
const FIRST_WORDS = 80;

export const queries = operation({
  name: 'queries',
  summary: 'List recent queries with what was returned and how it was rated: of a caller with a key, its own.',
  readOnly: true,
  input: Type.Object({
    limit: defaulted(Type.Integer({ minimum: 1, maximum: 200, description: 'Queries to list at most.' }), 50),
    offset: defaulted(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Queries to pass over.' }), 0),
  }),
  output: Type.Object({
    queries: Type.Array(
      Type.Object({
        query_id: Type.String(),
        at: Type.String(),
        query: Type.String(),
        domains: Type.Array(Type.String()),
        mode: Type.String(),
        items: Type.Array(
          Type.Object({
            id: Type.String(),
            name: Type.Union([Type.String(), Type.Null()], {
              description:
                'Name or title as it is now, of a message its first words; null where the item no longer exists.',
            }),
            score: Type.Number(),
            domain: Type.String(),
            ratings: Type.Array(Type.Object({ source: Type.String(), outcome: Type.String() })),
          }),
        ),
      }),
    ),
    total: Type.Integer(),
  }),
  run: async (service, input, context) => {
    // Without keys everybody is the machine's own user.
    const own = context.authenticated && context.caller !== undefined;
    const { queries: found, total } = await service.feedback.recent({
      ...input,
      owner: own ? context.caller : undefined,
    });
    const ids = new Set(found.flatMap((query) => query.items.map((item) => item.id)));
    const names = new Map(
      (await service.graph.getNodes([...ids])).map(({ id, name, description }) => [
        id,
        name || description.slice(0, FIRST_WORDS),
      ]),
    );
    const named = (query: (typeof found)[number]) => ({
      ...query,
      items: query.items.map((item) => ({ ...item, name: names.get(item.id) ?? null })),
    });
    return { queries: found.map(named), total };
  },
});
