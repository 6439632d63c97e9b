import { builtPage } from '../built-page.js';
import type { Page } from '../route.js';
import { GREEN_BASE, LEARNING_BASE } from './rows.js';

/** Makes the two dashboards: pages that load nothing else. They are open; the data that they request is not. */
export function dashboardPages(): Page[] {
  return [
    {
      method: 'GET',
      path: `${GREEN_BASE}/dashboard`,
      auth: 'open',
      handle: builtPage('green', { title: 'Emissions of model calls', theme: 'dark' }),
    },
    {
      method: 'GET',
      path: `${LEARNING_BASE}/dashboard`,
      auth: 'open',
      handle: builtPage('learning', { title: 'What agent runs teach', theme: 'dark' }),
    },
  ];
}
