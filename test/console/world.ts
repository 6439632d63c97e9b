import { afterEach } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openService, type TestService } from '../service/harness.js';
import { browserOfFile, openPage } from '../support/browser.js';

export interface ConsoleWorld {
  readonly test: TestService;
  readonly page: Page;
  readonly problems: string[];
  close(): Promise<void>;
}

const TEXT = `# Tea

Green tea comes from Uji in Japan. Always brew green tea below 80 degrees. A good cup needs a kettle.

# Uji

Uji is a city near Kyoto. Its river is the Uji River.

# Kyoto

Kyoto was the capital of Japan for a thousand years.

# Coffee

Coffee grows in Ethiopia. Never boil coffee twice.

# Kettle

A kettle boils water. Descale a kettle every month.
`;

export interface ConsoleOptions {
  readonly view?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly prepare?: (test: TestService) => Promise<unknown>;
  readonly width?: number;
  /** Errors that the browser's console may report. */
  readonly expected?: RegExp;
}

/** Returns what opens the console in one browser of the test file; the console of each test is closed after it. */
export function consolesOfEachTest(): (options?: ConsoleOptions) => Promise<ConsoleWorld> {
  const browser = browserOfFile();
  let world: ConsoleWorld | undefined;
  afterEach(async () => {
    await world?.close();
    world = undefined;
  });
  return async (options = {}) => {
    world = await consoleWorld(browser(), options);
    return world;
  };
}

/** A service with a few documents and the console open in the browser. */
async function consoleWorld(browser: Browser, options: ConsoleOptions): Promise<ConsoleWorld> {
  const test = await openService(options.environment ?? {});
  if (options.environment?.SVC_API_KEYS === undefined) {
    await test.post('/v1/ingest/text', { text: TEXT, domain: 'drinks', format: 'markdown', name: 'drinks.md' });
  }
  await options.prepare?.(test);
  const { page, problems } = await openPage(browser, `${test.url}/#${options.view ?? 'ask'}`, options);
  return {
    test,
    page,
    problems,
    close: async () => {
      await page.close();
      await test.close();
    },
  };
}
