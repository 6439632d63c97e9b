import type { Service } from '../service.js';

/** Variants that the process of a service does not serve though it was to, and why: its status tells them. */
const leftOut = new WeakMap<Service, readonly string[]>();

export function noteLeftOut(service: Service, sentences: readonly string[]): void {
  leftOut.set(service, sentences);
}

export function leftOutOf(service: Service): readonly string[] {
  return leftOut.get(service) ?? [];
}
