import { render } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { KeyNeeded, read } from '../shared/api.js';
import { counted } from '../shared/format.js';
import { KeyForm, Problem, ThemeSwitch } from '../shared/page.js';
import { served } from '../shared/served.js';
import { Agents } from './agents/agents.js';
import { Ask } from './ask/ask.js';
import { Compare } from './compare.js';
import './console.css';
import { Documents } from './documents/documents.js';
import { Learning } from './learning.js';
import { Look } from './look/look.js';
import { EditList } from './mend/edit-list.js';
import type { Domains, Stats, Status } from './types.js';

const VIEWS = [
  ['ask', 'Ask', Ask],
  ['compare', 'Compare', Compare],
  ['look', 'Look', Look],
  ['mend', 'Mend', EditList],
  ['documents', 'Documents', Documents],
  ['agents', 'Agents', Agents],
  ['learning', 'Learning', Learning],
] as const;

export interface ViewProps {
  /** Names of the domains that exist. */
  readonly domains: readonly string[];
  /** What follows the view's name in the address, such as a node's id. */
  readonly place: string;
  /** Reads domains and counts again. */
  readonly refresh: () => void;
}

interface Overview {
  readonly status: Status;
  readonly stats: Stats;
  readonly domains: Domains;
}

/** `#look/docs:3f2a` → the view and what follows. */
function address(): readonly [view: string, place: string] {
  const [view = '', ...rest] = location.hash.slice(1).split('/');
  return [view, decodeURIComponent(rest.join('/'))];
}

function Console() {
  const [[view, place], setAddress] = useState(address());
  const [overview, setOverview] = useState<Overview>();
  const [problem, setProblem] = useState<Error>();
  const refresh = (): void => {
    Promise.all([
      read<Status>('/v1/status'),
      read<Stats>('/v1/stats'),
      read<{ domains: Domains }>('/v1/domains'),
    ]).then(
      ([status, stats, { domains }]) => {
        setOverview({ status, stats, domains });
        setProblem(undefined);
      },
      (error: Error) => setProblem(error),
    );
  };
  // Not an effect after painting: an address that changes until then would be missed.
  useLayoutEffect(() => {
    const follow = (): void => setAddress(address());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  useEffect(refresh, []);
  const [name, title, View] = VIEWS.find(([one]) => one === view) ?? VIEWS[0];
  return (
    <>
      <header>
        <h1>Knowledge console</h1>
        <nav aria-label="Views">
          {VIEWS.map(([one, text]) => (
            <a key={one} href={`#${one}`} aria-current={one === name ? 'page' : undefined}>
              {text}
            </a>
          ))}
        </nav>
        <div class="controls">
          <a href={served('/docs')}>API</a>
          <ThemeSwitch />
        </div>
        {overview !== undefined && <Holdings {...overview} />}
      </header>
      {problem instanceof KeyNeeded ? <KeyForm text={problem.message} onKey={refresh} /> : <Problem text={problem?.message} />}
      <main class="console" aria-label={title}>
        {overview !== undefined && !(problem instanceof KeyNeeded) && (
          <View key={name} domains={overview.domains.map((domain) => domain.name)} place={place} refresh={refresh} />
        )}
      </main>
    </>
  );
}

/** What the service knows, in one line. */
function Holdings({ status, stats }: Overview) {
  const { domains, concepts, edges, rules } = stats.knowledge;
  return (
    <p class="state">
      {counted(concepts, 'concept')}, {counted(edges, 'edge')} and {counted(rules, 'rule')} in {counted(domains, 'domain')} ·{' '}
      {counted(stats.activity.queries_served, 'question')} answered · {status.backend} graph, {status.vector_search ? `vectors by ${status.embedding_model}` : 'no vectors'}
    </p>
  );
}

render(<Console />, document.getElementById('app')!);
