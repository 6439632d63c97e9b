import type { Locator, Page } from 'playwright-core';

const FAR = 400;

/** What Tab stops at, as far as it can be told from the page: what it misses or has too much costs a look more. */
const STOPS =
  'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea, [tabindex="0"]';

/** The presses of a key that are likely to lead from the focus to an element. */
interface Way {
  readonly key: 'Tab' | 'Shift+Tab';
  readonly presses: number;
}

/**
 * Moves the focus to an element as a person without a mouse does; throws where Tab does not lead there. A look after each press
 * takes longer than the press, so the first presses follow each other without one.
 */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  let presses = 0;
  for (let way = await wayTo(target); way !== null; way = await wayTo(target)) {
    if (presses >= FAR) throw new Error(`${FAR} presses of Tab do not lead to ${target}.`);
    const count = presses === 0 ? way.presses : 1;
    for (let i = 0; i < count; i += 1) await page.keyboard.press(way.key);
    presses += count;
  }
}

/** Returns which way leads to an element, by the order of the page; null: it has the focus. */
function wayTo(target: Locator): Promise<Way | null> {
  return target.evaluate((element, stops): Way | null => {
    interface Node {
      compareDocumentPosition(other: unknown): number;
      checkVisibility(): boolean;
    }
    const { document } = globalThis as never as {
      document: { activeElement: Node; querySelectorAll(selector: string): Iterable<Node> };
    };
    const active = document.activeElement;
    if (element === (active as unknown)) return null;
    const PRECEDING = 2;
    const isBefore = (one: unknown, other: Node) => (other.compareDocumentPosition(one) & PRECEDING) !== 0;
    const isBackwards = isBefore(element, active);
    const [first, last] = isBackwards ? [element as never as Node, active] : [active, element as never as Node];
    const between = [...document.querySelectorAll(stops)].filter(
      (one) => one !== first && one !== last && isBefore(first, one) && isBefore(one, last) && one.checkVisibility(),
    );
    return { key: isBackwards ? 'Shift+Tab' : 'Tab', presses: between.length + 1 };
  }, STOPS);
}

/** Types into a field in place of what is there. */
export async function type(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

/** Presses a button, follows a link. */
export async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}
