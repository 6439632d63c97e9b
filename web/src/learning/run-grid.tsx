import { time } from '../shared/format.js';
import type { Run } from './model.js';

const RUNS = 50;
const ARMS = 40;

/** The arms of the last 50 runs: referenced, included only, left out. */
export function RunGrid({ runs }: { readonly runs: readonly Run[] }) {
  const last = runs.slice(0, RUNS).reverse();
  const uses = new Map<string, number>();
  for (const { arms } of last) for (const { armId, included } of arms) uses.set(armId, (uses.get(armId) ?? 0) + (included ? 1 : 0));
  const ids = [...uses].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([id]) => id);
  if (ids.length === 0) return <p class="empty">No runs with arms yet.</p>;
  const byRun = last.map(({ arms }) => new Map(arms.map((arm) => [arm.armId, arm])));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div class="scroll" tabIndex={0} role="region" aria-label="Arms of the last runs">
      <table class="grid">
        <caption>
          Newest run on the right. R referenced, i included only, · left out.
          {ids.length > ARMS && ` The ${ARMS} arms included most, of ${ids.length}.`}
        </caption>
        <tbody>
          {ids.slice(0, ARMS).map((id) => (
            <tr key={id}>
              <th scope="row" class="arm" title={id}>
                {id}
              </th>
              {byRun.map((arms, i) => {
                const arm = arms.get(id);
                const kind = arm === undefined ? ['', ''] : !arm.included ? ['x', '·'] : arm.referenced ? ['r', 'R'] : ['i', 'i'];
                return (
                  <td key={last[i]!.runId} class={kind[0]!} title={time(last[i]!.timestamp)}>
                    {kind[1]}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
