import { machine } from '../machine.js';
import type { Slope } from './memory.js';
import { failures, type LoopResult, percentile } from './open-loop.js';
import { KINDS } from './traffic.js';

export interface Figures {
  readonly concepts: number;
  readonly embedding: string;
  readonly tried: readonly LoopResult[];
  /** Requests a second. */
  readonly maximum: number;
  readonly steady: LoopResult & {
    /** Latencies of health, ms. */
    readonly times: readonly number[];
    readonly heap: Slope | undefined;
    readonly resident: Slope | undefined;
  };
  readonly overload: LoopResult & { readonly after: LoopResult; readonly health: readonly number[] };
}

/** The page of the documentation. */
export function page({ concepts, embedding, tried, maximum, steady, overload }: Figures): string {
  const refused = overload.sent.filter(({ status }) => status === 503);
  const others = failures(overload.sent).filter(({ status }) => status !== 503);
  return `# Load

\`npm run bench:load\` sends 70 % query, 10 % feedback, 10 % observe and 10 % ingest (a short text that replaces an older one, so
that the store keeps its size) to one service with ${concepts} concepts and two edges each, embedding model \`${embedding}\`. It is an open
loop: requests leave at random times of a fixed mean rate, whether or not former ones were answered, and a latency counts from
the time that the request was due. The highest rate is the last of a rising row with 99 of 100 answers within a second and no failure: beyond
it a backlog grows.

| Rate, 1/s | Requests | p50, ms | p99, ms | Failures |
|--:|--:|--:|--:|--:|
${tried.map(rowOf).join('\n')}

Highest rate: **${maximum}/s**. Goals for half of it: 50/s or more, no error, p99 under 250 ms, health within 50 ms, heap after
collection and resident memory rising less than 1 % a minute. Before it every concept is asked about once, so that the
bounded caches of names and postings are filled: what rises after that is not warm-up.

## ${Math.round(steady.seconds)} s at ${steady.rate}/s

| Kind | Requests | p50, ms | p99, ms | slowest, ms | Failures |
|---|--:|--:|--:|--:|--:|
${KINDS.map((kind) =>
  kindRow(
    kind,
    steady.sent.filter((one) => one.kind === kind),
  ),
).join('\n')}
${kindRow('all', steady.sent)}

Health, asked ${steady.times.length} times meanwhile: p50 ${at(steady.times, 0.5)} ms, p99 ${at(steady.times, 0.99)} ms, slowest ${at(steady.times, 1)} ms.

| Memory | first, MB | last, MB | rises a minute | samples |
|---|--:|--:|--:|--:|
${memoryRow('heap after full collections', steady.heap)}
${memoryRow('resident, every second', steady.resident)}
${errorsOf(steady)}
## Twice the highest rate, ${overload.rate}/s, for ${Math.round(overload.seconds)} s

${overload.sent.length} requests: ${refused.length} refused with 503, ${refused.filter(({ retryAfter }) => retryAfter).length} of them with \`Retry-After\`; ${others.length} other failures; the rest answered, p99 ${percentile(overload.sent, 0.99).toFixed(0)} ms.
Health meanwhile and after: p99 ${at(overload.health, 0.99)} ms, slowest ${at(overload.health, 1)} ms. Right after it, at half the highest rate for 10 s:
p99 ${percentile(overload.after.sent, 0.99).toFixed(0)} ms, ${failures(overload.after.sent).length} failures.
${errorsOf(overload)}
${machine()} The service, who sends and who asks for health are three processes of it.
`;
}

function rowOf({ rate, sent }: LoopResult): string {
  return `| ${rate} | ${sent.length} | ${ms(percentile(sent, 0.5))} | ${ms(percentile(sent, 0.99))} | ${failures(sent).length} |`;
}

function kindRow(kind: string, sent: LoopResult['sent']): string {
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) => ms(percentile(sent, share)));
  return `| ${kind} | ${sent.length} | ${p50} | ${p99} | ${most} | ${failures(sent).length} |`;
}

function memoryRow(what: string, slope: Slope | undefined): string {
  if (slope === undefined) return `| ${what} | | | too few collections to tell | |`;
  const { firstMb, lastMb, percentPerMinute, samples } = slope;
  return `| ${what} | ${firstMb.toFixed(0)} | ${lastMb.toFixed(0)} | ${percentPerMinute.toFixed(2)} % | ${samples} |`;
}

/** The first failures that are no refusals, so that a figure with some says what they are. */
function errorsOf({ sent }: LoopResult): string {
  const errors = [...new Set(sent.flatMap(({ kind, error }) => (error === undefined ? [] : [`${kind}: ${error}`])))];
  return errors.length === 0
    ? ''
    : `\nFailures:\n\n${errors
        .slice(0, 5)
        .map((error) => `- ${error}`)
        .join('\n')}\n`;
}

function at(times: readonly number[], share: number): string {
  return ms(
    percentile(
      times.map((time) => ({ ms: time })),
      share,
    ),
  );
}

function ms(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}
