// The protocol's conformance runner imports fs.globSync (Node 22) for a command that we don't use: on Node 20 it is
// given a stand-in. Used as `node --import ./scripts/live/conformance-hook.js …/conformance/dist/index.js`.
import { register } from 'node:module';

const hook = `
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.includes('/conformance/dist/index.js')) return loaded;
  const source = String(loaded.source).replace(/globSync as (\\w+),([^}]*)\\}from"fs";/, '$2}from"fs";const $1=()=>[];');
  return { ...loaded, source };
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
