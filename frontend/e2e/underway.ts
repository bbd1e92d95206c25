// A run that stands still, for what has to be looked at while it is under way.

import type { Page } from '@playwright/test';

/** Where a run can be held: what is under way is then as the program's own view, but for these. */
export interface Held {
  status: string;
  waits: { kind: string; url: string; until: number } | null;
}

/**
 * Loads the page again with its newest run shown as under way: the program's own
 * view of that run, which has ended, with `held` put into it.
 */
export async function underWay(page: Page, held: Held): Promise<void> {
  const answers = async (method: string, change: (result: Record<string, unknown>) => void) =>
    page.route(`**/api/${method}`, async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { result: Record<string, unknown> };
      change(body.result);
      await route.fulfill({ response, json: body });
    });
  let id = '';
  await page.route('**/api/Runs', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { result: { runs: { run_id: string }[] } };
    id ||= body.result.runs[0]?.run_id ?? '';
    await route.fulfill({ response, json: body });
  });
  const known = page.waitForResponse('**/api/Runs');
  await page.reload();
  await known;
  await answers('Start', (result) => (result['active'] = id));
  await answers('Get', (result) => Object.assign(result, held));
  await page.reload();
}

/** Has the page asked whether it may close, as the window asks it while a run is under way. Call it before the page is opened. */
export async function closable(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    const { EventSource } = window;
    window.EventSource = class extends EventSource {
      constructor(url: string | URL) {
        super(url);
        addEventListener('ask', () => this.dispatchEvent(new MessageEvent('close_asked', { data: '' })));
      }
    };
  });
  return () => page.evaluate(() => void dispatchEvent(new Event('ask')));
}
