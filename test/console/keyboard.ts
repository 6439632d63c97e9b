import type { Locator, Page } from 'playwright-core';

const FAR = 400;

/** Moves the focus to an element as a person without a mouse does; throws where Tab does not lead there. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  // Which key leads there, by the order of the page; null: it has the focus.
  const next = () =>
    target.evaluate((element) => {
      const { document } = globalThis as never as { document: { activeElement: unknown } };
      if (element === document.activeElement) return null;
      const PRECEDING = 2;
      const active = document.activeElement as { compareDocumentPosition(other: unknown): number };
      return active.compareDocumentPosition(element) & PRECEDING ? 'Shift+Tab' : 'Tab';
    });
  for (let presses = 0; presses < FAR; presses += 1) {
    const key = await next();
    if (key === null) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${FAR} presses of Tab do not lead to ${target}.`);
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
