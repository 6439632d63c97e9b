import { inBrowser } from '../support/browser.js';
import { consolesOfEachTest } from './world.js';

const SLOW = 240_000;
const open = consolesOfEachTest();

inBrowser(
  'an address that changes while the page starts is followed',
  async () => {
    const { page } = await open({ view: 'look' });
    // A page that paints late, as on a busy machine, and an address that changes before it does.
    await page.addInitScript(`
      const later = setTimeout;
      globalThis.requestAnimationFrame = (run) => later(run, 500);
      globalThis.setTimeout = (run, wait = 0, ...given) => later(run, wait + 500, ...given);
      addEventListener('DOMContentLoaded', () => { location.hash = 'mend'; });
    `);
    await page.reload();
    await page.getByRole('main', { name: 'Mend' }).waitFor({ timeout: 10_000 });
  },
  SLOW,
);
