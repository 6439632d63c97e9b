import { type Command, InvalidArgumentError } from 'commander';
import { counted } from '../../../core/wording/counted.js';
import { given } from '../../arguments.js';
import type { Cli, CommonOptions } from '../../cli.js';

const OUTCOMES = ['accepted', 'partial', 'rejected'];
const NAMED = 'accepted, partial or rejected';

interface Recorded {
  readonly query_id: string;
  readonly outcome_count: number;
}

export function feedbackCommand(cli: Cli): Command {
  return cli
    .command('feedback', 'say which items of an answer helped; later answers rank accordingly')
    .argument('<query_id>', 'id of the query, as its answer shows it')
    .argument('<item=outcome...>', `ids of items, each with = and ${NAMED}`, outcomeOf)
    .option('--source <name>', 'who says it; the same source again replaces what it said')
    .action((query_id: string, outcomes: Record<string, string>, options: CommonOptions & { source?: string }) => {
      const input = given({ query_id, outcomes, source: options.source });
      return cli.show<Recorded>({ command: 'feedback', operation: 'feedback', input, options }, (recorded) => {
        return `Recorded: ${counted(recorded.outcome_count, 'item')} of query ${recorded.query_id}.`;
      });
    });
}

/** Collects `item=outcome` pairs; an id may hold an equals sign itself. */
function outcomeOf(pair: string, before: Readonly<Record<string, string>> | undefined): Record<string, string> {
  const at = pair.lastIndexOf('=');
  const outcome = pair.slice(at + 1);
  if (at < 1 || !OUTCOMES.includes(outcome)) {
    throw new InvalidArgumentError(`It must be the id of an item, = and ${NAMED}.`);
  }
  return { ...before, [pair.slice(0, at)]: outcome };
}
