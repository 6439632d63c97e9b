import { Problem } from '../../shared/page.js';
import { useData } from '../../shared/use-data.js';
import { readStarts } from '../starts.js';

const SHOWN = 8;

/** What stands on an empty canvas: concepts to begin with. */
export function FirstNodes({ onChoose }: { readonly onChoose: (id: string) => void }) {
  const { data = [], error } = useData(() => readStarts(SHOWN), []);
  return (
    <div class="first">
      <p>{data.length > 0 ? 'Search for a node above, or begin with one that many rules speak of:' : 'Search for a node above, or open one from an answer.'}</p>
      <Problem text={error} />
      <ul class="hits" aria-label="Nodes to begin with">
        {data.map(({ id, name }) => (
          <li key={id}>
            <button type="button" onClick={() => onChoose(id)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
