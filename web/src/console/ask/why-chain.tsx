import { useEffect, useState } from 'preact/hooks';
import { splitSentences } from '../../../../src/core/text/sentences.js';
import type { Why } from '../../../../src/retrieval/present/explain.js';
import { send } from '../../shared/api.js';
import { lastCrumb, titleOf } from '../crumbs.js';
import type { Item, Neighbourhood } from '../types.js';

const VIA: Readonly<Record<string, string>> = {
  mention: 'names it',
  shares: 'shares a name with it',
  bridge: 'holds a name that leads to it',
};

/** Why an item is where it is: words and names of the question, and the way through the graph as a chain of cards. */
export function WhyChain({ item, why, items }: { readonly item: Item; readonly why: Why; readonly items: readonly Item[] }) {
  const { terms, named, path } = why;
  return (
    <div class="why">
      {terms !== undefined && (
        <p>
          Words of the question: {terms.map((term) => <mark key={term}>{term}</mark>)}
        </p>
      )}
      {named !== undefined && <p>It is about {named.join(', ')}, which the question names.</p>}
      {path !== undefined && <Chain item={item} path={path} items={items} />}
    </div>
  );
}

function Chain({ item, path, items }: { readonly item: Item; readonly path: NonNullable<Why['path']>; readonly items: readonly Item[] }) {
  const text = useText(path.from, items);
  return (
    <ol class="chain" aria-label="The way that led here">
      <li>
        <strong>{lastCrumb(path.name)}</strong>
        <span>{VIA[path.via] ?? path.via}</span>
        {path.entity !== undefined && <mark>{path.entity}</mark>}
        {path.sentence !== undefined && text !== undefined && <q>{sentenceOf(text, path.sentence)}</q>}
        {path.question !== undefined && <span>asked again as “{path.question}”</span>}
      </li>
      <li>
        <strong>{titleOf(item.content)}</strong>
      </li>
    </ol>
  );
}

/** Text of a node: from the answer where it is there, else read from the service. */
function useText(id: string, items: readonly Item[]): string | undefined {
  const here = items.find((item) => item.id === id)?.content;
  const [text, setText] = useState<string>();
  useEffect(() => {
    if (here !== undefined) return;
    let wanted = true;
    send<Neighbourhood>('/v1/explore', { node_id: id, depth: 1 }).then(
      ({ node }) => wanted && node !== null && setText(`${node.name}: ${node.description}`),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [id, here]);
  return here ?? text;
}

/** A sentence of a content `name: description`, counted in the description from 0. */
function sentenceOf(content: string, index: number): string {
  const body = content.slice(content.indexOf(': ') + 2);
  const span = splitSentences(body)[index];
  return span === undefined ? body.slice(0, 300) : body.slice(span[0], span[1]).trim();
}
