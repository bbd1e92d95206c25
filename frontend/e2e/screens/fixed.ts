// Times, lengths and places that are the same in every picture.

import type { Page, Route } from '@playwright/test';

import type { Home } from '../program.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 5, 3, 12, 5); // 14:05 of the tests' time zone

/** How long ago the runs of a list began, the latest first. */
const AGO = [2, 26, 95, 24 * 60 + 40, 26 * 60, 5 * 24 * 60].map((minutes) => minutes * MINUTE);

/** What takes the place of a number under a key; `nth` is the number of runs before it. */
const numbers: Record<string, (value: number, nth: number, of: Record<string, unknown>) => number> = {
  started_at: (_, nth, of) => (of['status'] === 'running' ? NOW - 3000 : NOW - (AGO[Math.min(nth, AGO.length - 1)] ?? 0)),
  created_at: () => NOW - MINUTE,
  expires_at: () => NOW + 9 * MINUTE,
  installed_at: () => NOW - 3 * 24 * 60 * MINUTE,
  duration_ms: (value) => (value === 0 ? 0 : 1240),
};

function fixed(value: unknown, runs: { before: number }): unknown {
  if (Array.isArray(value)) return value.map((v) => fixed(v, runs));
  if (value === null || typeof value !== 'object') return value;
  const from = value as Record<string, unknown>;
  const to: Record<string, unknown> = {};
  for (const [key, v] of Object.entries(from)) {
    const number = numbers[key];
    to[key] = number && typeof v === 'number' && v > 0 ? number(v, runs.before, from) : fixed(v, runs);
  }
  if ('run_id' in from && 'started_at' in from) runs.before++;
  return to;
}

/** Makes what the program says of times, lengths and the home the same in every picture. */
export async function still(page: Page, home: Home): Promise<void> {
  await page.clock.setFixedTime(NOW);
  // Events would bring the true times; what is pictured is asked for.
  await page.addInitScript(() => {
    class Silent extends EventTarget {
      onopen: (() => void) | null = null;
      onerror: (() => void) | null = null;
      constructor() {
        super();
        queueMicrotask(() => this.onopen?.());
      }
      close(): void {}
    }
    Object.assign(globalThis, { EventSource: Silent });
  });
  await page.route('**/api/*', async (route: Route) => {
    const response = await route.fetch();
    if (response.headers()['content-type']?.includes('json') !== true) return route.fulfill({ response });
    const text = (await response.text()).replaceAll(home.path, '/home/ann');
    await route.fulfill({ response, body: JSON.stringify(fixed(JSON.parse(text), { before: 0 })) });
  });
}
