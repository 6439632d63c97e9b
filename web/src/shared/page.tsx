import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { rememberKey } from './api.js';
import type { Loaded } from './use-data.js';
import './style.css';

const THEME = 'svc-theme';
const SYSTEM_LIGHT = matchMedia('(prefers-color-scheme: light)');
/** The dashboards of the gateway start dark, as they are specified. */
const FOLLOWS_SYSTEM = document.documentElement.dataset.theme === 'system';

interface PageProps {
  readonly title: string;
  readonly loaded: Loaded<unknown>;
  readonly controls: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Frame of a dashboard: heading, controls, state of the data, and the place to enter a key. */
export function Page({ title, loaded, controls, children }: PageProps) {
  const { at, error, needsKey, reload } = loaded;
  return (
    <>
      <header>
        <h1>{title}</h1>
        <div class="controls">
          {controls}
          <button type="button" onClick={reload}>
            Refresh
          </button>
          <ThemeSwitch />
        </div>
        <p class="state" role="status" aria-live="polite">
          {at === undefined ? (error === undefined ? 'Loading…' : '') : `Updated ${at.toISOString().slice(11, 19)} UTC`}
        </p>
      </header>
      {needsKey ? <KeyForm text={error} onKey={reload} /> : <Problem text={error} />}
      <main>{children}</main>
    </>
  );
}

/** Shows why something failed; nothing where nothing did. */
export function Problem({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : <p class="error" role="alert">{text}</p>;
}

/** Switches between dark and light; the choice is remembered. Until there is one, a page that says so follows the system. */
export function ThemeSwitch() {
  const [chosen, choose] = useState(localStorage.getItem(THEME));
  const [isSystemLight, setSystemLight] = useState(SYSTEM_LIGHT.matches);
  const light = chosen === null ? FOLLOWS_SYSTEM && isSystemLight : chosen === 'light';
  useEffect(() => {
    const follow = (): void => setSystemLight(SYSTEM_LIGHT.matches);
    SYSTEM_LIGHT.addEventListener('change', follow);
    return () => SYSTEM_LIGHT.removeEventListener('change', follow);
  }, []);
  useEffect(() => {
    document.documentElement.dataset.theme = light ? 'light' : 'dark';
    document.dispatchEvent(new Event('themechange'));
  }, [light]);
  const change = (): void => {
    const other = light ? 'dark' : 'light';
    localStorage.setItem(THEME, other);
    choose(other);
  };
  return (
    <button type="button" aria-pressed={light} onClick={change}>
      {light ? 'Dark' : 'Light'}
    </button>
  );
}

/** Asks for the API key; `text` says why. */
export function KeyForm({ text, onKey }: { readonly text: string | undefined; readonly onKey: () => void }) {
  const [key, setKey] = useState('');
  return (
    <form
      class="card key"
      onSubmit={(event) => {
        event.preventDefault();
        rememberKey(key);
        onKey();
      }}
    >
      <label for="key">
        <span role="alert">{text}</span> It is kept in this tab only.
      </label>
      <input id="key" type="password" autocomplete="off" value={key} onInput={(event) => setKey(event.currentTarget.value)} />
      <button type="submit">Use key</button>
    </form>
  );
}

export function Card({ title, wide, children }: { readonly title: string; readonly wide?: boolean; readonly children: ComponentChildren }) {
  return (
    <section class={wide === true ? 'card wide' : 'card'}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export function Tile({ label, value, note }: { readonly label: string; readonly value: ComponentChildren; readonly note?: ComponentChildren }) {
  return (
    <div class="tile">
      <div class="label">{label}</div>
      <div class="value">{value}</div>
      {note !== undefined && <div class="note">{note}</div>}
    </div>
  );
}

type Option = readonly [value: string, label: string];

export function Choice({ label, value, options, onChange }: { readonly label: string; readonly value: string; readonly options: readonly Option[]; readonly onChange: (value: string) => void }) {
  return (
    <label class="choice">
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export const RANGES: readonly Option[] = [
  ['1', 'last 24 hours'],
  ['7', 'last 7 days'],
  ['30', 'last 30 days'],
  ['365', 'last year'],
  ['0', 'all'],
];

/** Start of a range in milliseconds, to whole hours so that answers repeat; undefined for all. */
export function sinceOf(days: string): number | undefined {
  if (days === '0') return undefined;
  return Math.floor((Date.now() - Number(days) * 86_400_000) / 3_600_000) * 3_600_000;
}

export function query(members: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given as Array<[string, string]>)}`;
}
