/** One arm that may be taken: the value it adds and the tokens it costs (an integer ≥ 0). */
export interface BudgetItem {
  readonly score: number;
  readonly cost: number;
}

/**
 * Cells up to which the knapsack is solved exactly: candidates × (budget / unit), times the slots where they are few.
 */
const EXACT_CELLS = 2_000_000;
const EXACT_SLOT_CELLS = 6_000_000;

/**
 * Returns the indexes of the items with the largest total score whose costs stay within `capacity`, at most `slots` of
 * them. Exact by dynamic programming while the table is small; beyond that the better of two greedy orders.
 */
export function fillBudget(items: readonly BudgetItem[], capacity: number, slots: number): number[] {
  const fitting = items.map((_, index) => index).filter((index) => items[index]!.cost <= capacity);
  const byScore = [...fitting].sort((a, b) => items[b]!.score - items[a]!.score);
  const best = byScore.slice(0, slots);
  if (total(items, best) <= capacity) return best;
  if (slots < fitting.length) return fillSlots(items, byScore, { capacity, slots });
  const free = fitting.filter((index) => items[index]!.cost === 0);
  const paid = fitting.filter((index) => items[index]!.cost > 0);
  const unit = commonUnit(items, paid);
  const width = Math.floor(capacity / unit);
  const chosen =
    paid.length * width <= EXACT_CELLS ? exact(items, paid, { unit, width }) : greedy(items, paid, capacity);
  return [...free, ...chosen];
}

/** Solves the 0/1 knapsack; one bit per cell remembers whether the item was taken. */
function exact(
  items: readonly BudgetItem[],
  paid: readonly number[],
  { unit, width }: { readonly unit: number; readonly width: number },
): number[] {
  const value = new Float64Array(width + 1);
  const taken = new Uint8Array(paid.length * (width + 1));
  for (let row = 0; row < paid.length; row += 1) {
    const { score, cost } = items[paid[row]!]!;
    const weight = cost / unit;
    const offset = row * (width + 1);
    for (let w = width; w >= weight; w -= 1) {
      const next = value[w - weight]! + score;
      if (next > value[w]!) {
        value[w] = next;
        taken[offset + w] = 1;
      }
    }
  }
  const chosen: number[] = [];
  let left = width;
  for (let row = paid.length - 1; row >= 0; row -= 1) {
    if (taken[row * (width + 1) + left] === 0) continue;
    chosen.push(paid[row]!);
    left -= items[paid[row]!]!.cost / unit;
  }
  return chosen;
}

/**
 * Chooses at most `slots` items: a knapsack with a second dimension, else greedy under the cap. `order` is best score
 * first.
 */
function fillSlots(
  items: readonly BudgetItem[],
  order: readonly number[],
  { capacity, slots }: { readonly capacity: number; readonly slots: number },
): number[] {
  if (slots === 1) return order.slice(0, 1);
  const unit = commonUnit(items, order);
  const width = Math.floor(capacity / unit);
  const layer = width + 1;
  if (order.length * layer * slots > EXACT_SLOT_CELLS) return greedy(items, order, capacity, slots);
  const value = new Float64Array((slots + 1) * layer);
  const taken = new Uint8Array(order.length * slots * layer);
  for (let row = 0; row < order.length; row += 1) {
    const { score, cost } = items[order[row]!]!;
    const weight = cost / unit;
    for (let slot = slots; slot >= 1; slot -= 1) {
      const here = slot * layer;
      const offset = (row * slots + slot - 1) * layer;
      for (let w = width; w >= weight; w -= 1) {
        const next = value[here - layer + w - weight]! + score;
        if (next > value[here + w]!) {
          value[here + w] = next;
          taken[offset + w] = 1;
        }
      }
    }
  }
  const chosen: number[] = [];
  let left = width;
  let slot = slots;
  for (let row = order.length - 1; row >= 0 && slot > 0; row -= 1) {
    if (taken[(row * slots + slot - 1) * layer + left] === 0) continue;
    chosen.push(order[row]!);
    left -= items[order[row]!]!.cost / unit;
    slot -= 1;
  }
  return chosen;
}

/**
 * Returns the better of two orders: score per token, and score (which begins with the best single item, so that without
 * a cap of slots half of the optimum is certain; with few slots it is the better of the two).
 */
function greedy(
  items: readonly BudgetItem[],
  order: readonly number[],
  capacity: number,
  slots: number = Number.POSITIVE_INFINITY,
): number[] {
  const value = (chosen: readonly number[]): number => chosen.reduce((sum, index) => sum + items[index]!.score, 0);
  const pack = (key: (item: BudgetItem) => number): number[] => {
    const chosen: number[] = [];
    let left = capacity;
    for (const index of [...order].sort((a, b) => key(items[b]!) - key(items[a]!))) {
      if (chosen.length >= slots) break;
      if (items[index]!.cost > left) continue;
      chosen.push(index);
      left -= items[index]!.cost;
    }
    return chosen;
  };
  const dense = pack(ratio);
  const high = pack(({ score }) => score);
  return value(high) > value(dense) ? high : dense;
}

function ratio({ score, cost }: BudgetItem): number {
  return cost === 0 ? Number.MAX_VALUE : score / cost;
}

function total(items: readonly BudgetItem[], chosen: readonly number[]): number {
  return chosen.reduce((sum, index) => sum + items[index]!.cost, 0);
}

/** Returns the greatest common divisor of the costs: the table's step. */
function commonUnit(items: readonly BudgetItem[], chosen: readonly number[]): number {
  let unit = 0;
  for (const index of chosen) {
    let a = items[index]!.cost;
    while (a !== 0) [unit, a] = [a, unit % a];
    if (unit === 1) return 1;
  }
  return Math.max(1, unit);
}
