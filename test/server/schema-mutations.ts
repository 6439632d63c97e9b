import fc from 'fast-check';

/** Values that are wrong in most places: other types, and the ends of ranges and lengths. */
const WRONG: readonly unknown[] = [
  null,
  true,
  3.7,
  -1,
  1e300,
  '',
  ' ',
  'no such value',
  'x\0y',
  'x'.repeat(600),
  'x'.repeat(20_001),
  [],
  [null],
  [''],
  ['x\0'],
  {},
  { a: null },
  { $foo: 1 },
];
const REMOVED = Symbol('removed');

/** Values that differ from those given in one place; whether they are still allowed is for the caller to find out. */
export function mutated(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return values.chain((value) => {
    const places = placesOf(value);
    return fc
      .tuple(fc.constantFrom(...places), fc.constantFrom<unknown>(REMOVED, ...WRONG))
      .map(([place, wrong]) => replaced(value, place, wrong));
  });
}

type Place = ReadonlyArray<string | number>;

function placesOf(value: unknown, at: Place = []): Place[] {
  const inside = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [
    at,
    ...inside.flatMap(([name, inner]) => placesOf(inner, [...at, Array.isArray(value) ? Number(name) : name])),
  ];
}

function replaced(value: unknown, place: Place, by: unknown): unknown {
  const [name, ...rest] = place;
  if (name === undefined) return by === REMOVED ? {} : by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  const inner = replaced(copy[name], rest, by);
  if (rest.length === 0 && by === REMOVED) {
    if (Array.isArray(copy)) copy.splice(name as number, 1);
    else delete copy[name];
    return copy;
  }
  copy[name] = inner;
  return copy;
}
