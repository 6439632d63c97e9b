import { isStorable, storableText } from '../../../core/text/clean.js';
import { MOST_TOKENS } from '../bounds.js';
import type { RunArm } from '../records.js';
import type { Attributes, AttributeValue, OtlpSpan } from './messages.js';

const MAX_ARMS = 10_000;
/** A longer JSON text in an attribute is malformed: it would be parsed in one step. In characters. */
const LONGEST_JSON = 1_000_000;

/**
 * Reads arms as a sender states them in `svc.learning.arms`; `undefined` without the attribute, `null` where it is
 * malformed.
 */
export function statedArms(attributes: Attributes): RunArm[] | undefined | null {
  const value = attributes['svc.learning.arms'];
  if (value === undefined) return undefined;
  const list = typeof value === 'string' ? parsed(value) : value;
  if (!Array.isArray(list) || list.length > MAX_ARMS) return null;
  const arms = list.map(armOf);
  return arms.every((arm) => arm !== null) ? (arms as RunArm[]) : null;
}

/** Reads one arm of JSON; null where it is none. */
export function armOf(value: unknown): RunArm | null {
  if (typeof value !== 'object' || value === null) return null;
  const { armId, included = true, referenced = false, tokenCost = 0 } = value as Partial<RunArm>;
  if (typeof armId !== 'string' || armId === '' || armId.length > 512 || !isStorable(armId)) return null;
  if (typeof included !== 'boolean' || typeof referenced !== 'boolean') return null;
  if (typeof tokenCost !== 'number' || !(tokenCost >= 0 && tokenCost <= MOST_TOKENS)) return null;
  return { armId, included, referenced, tokenCost };
}

/** Returns the arms that an agent's span reports: the tools that were offered to it, the tool that was called. */
export function toolArms(span: OtlpSpan): RunArm[] {
  const namespace = namespaceOf(span);
  const arms: RunArm[] = definitions(span.attributes['gen_ai.tool.definitions']).flatMap((definition) => {
    const name = nameOf(definition);
    if (name === undefined) return [];
    // A token is about four characters.
    const tokenCost = Math.ceil(lengthOf(definition) / 4);
    return [{ armId: armId(namespace, name), included: true, referenced: false, tokenCost }];
  });
  const called = calledTool(span);
  if (called !== undefined) {
    arms.push({ armId: armId(namespace, called), included: true, referenced: true, tokenCost: 0 });
  }
  return arms.slice(0, MAX_ARMS);
}

function calledTool({ attributes }: OtlpSpan): string | undefined {
  const operation = attributes['gen_ai.operation.name'];
  const tool = attributes['gen_ai.tool.name'] ?? attributes['ai.toolCall.name'] ?? attributes['tool.name'];
  const isCall =
    operation === 'execute_tool' ||
    attributes['openinference.span.kind'] === 'TOOL' ||
    attributes['ai.operationId'] === 'ai.toolCall' ||
    attributes['traceloop.span.kind'] === 'tool';
  if (!isCall) return undefined;
  const name = tool ?? attributes['traceloop.entity.name'];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** Returns the namespace of derived arms: as stated, else the agent's, else the service's name. */
function namespaceOf({ attributes, resource }: OtlpSpan): string {
  const name = [
    attributes['svc.learning.namespace'],
    resource['svc.learning.namespace'],
    resource['service.name'],
  ].find((value) => typeof value === 'string' && value !== '');
  return typeof name === 'string' ? safe(name) : 'default';
}

function armId(namespace: string, name: string): string {
  return storableText(`tool:${namespace}:${name}`.slice(0, 512));
}

function safe(text: string): string {
  return storableText(text)
    .replace(/[:\s]+/g, '_')
    .slice(0, 100);
}

function definitions(value: AttributeValue | undefined): unknown[] {
  const list = typeof value === 'string' ? parsed(value) : value;
  if (!Array.isArray(list)) return [];
  return list.map((item: unknown) => (typeof item === 'string' ? (parsed(item) ?? item) : item));
}

/** Returns the length of a value as JSON; 0 for one that is nested too deep to be written. */
function lengthOf(value: unknown): number {
  try {
    return JSON.stringify(value).length;
  } catch {
    return 0;
  }
}

function nameOf(definition: unknown): string | undefined {
  if (typeof definition !== 'object' || definition === null) return undefined;
  const { name, function: inner } = definition as { name?: unknown; function?: { name?: unknown } | null };
  const found = typeof name === 'string' ? name : inner?.name;
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function parsed(text: string): unknown {
  if (text.length > LONGEST_JSON) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
