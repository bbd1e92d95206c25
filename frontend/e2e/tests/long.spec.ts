import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { expect, go, open, serve, test } from '../window.ts';

const MANY = 5000;

/** Rows that a window may hold at once, however many there are: those in sight, and a margin. */
const MOST_ROWS = 120;

const root = join(import.meta.dirname, '..', '..', '..');

const program = serve((home) => {
  const record = home.folder('.local', 'share', 'errand');
  execFileSync('go', ['run', './frontend/e2e/longrun', record, String(MANY)], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
});

/** Scrolls from top to bottom in so many frames; answers how long each took, in milliseconds. */
function scroll(page: Page, frames: number): Promise<number[]> {
  return page.evaluate(async (n) => {
    const main = document.querySelector('[data-scrolls]')!;
    const frame = () => new Promise<number>(requestAnimationFrame);
    const took: number[] = [];
    let last = await frame();
    for (let i = 1; i <= n; i++) {
      main.scrollTop = ((main.scrollHeight - main.clientHeight) * i) / n;
      const now = await frame();
      took.push(now - last);
      last = now;
    }
    return took;
  }, frames);
}

// That it holds few rows is what makes it quick, and what is held against it;
// how long frames take is said and depends on the machine.
test('a run of 5,000 steps is shown by the rows in sight, from end to end', async ({ page }, info) => {
  test.slow();
  await open(page, program.url);
  const began = Date.now();
  await go(page, '/runs/longrun');
  await expect(page.getByText('Write number 0001 of them in capitals')).toBeVisible();
  const opened = Date.now() - began;
  await expect(page.getByRole('button', { name: 'Back' })).toBeFocused();
  const rows = page.locator('[data-row]');
  await expect(rows.first()).toHaveAttribute('aria-setsize', String(MANY));
  expect(await rows.count()).toBeLessThan(MOST_ROWS);

  const took = (await scroll(page, 240)).sort((a, b) => a - b);
  expect(await rows.count()).toBeLessThan(MOST_ROWS);
  await expect(page.getByText('Write number 5000 of them in capitals')).toBeVisible();
  const at = (share: number) => (took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0).toFixed(1);
  const said = `opened in ${opened} ms; frames of a scroll through all: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms`;
  info.annotations.push({ type: 'frames', description: said });
  console.log(said);

  // J and K walk to steps that are not in the page yet.
  await page.keyboard.press('k'); // from nowhere: the last one
  await expect(page.getByRole('button', { name: /number 5000 of them/ })).toBeFocused();
  await page.keyboard.press('k');
  await expect(page.getByRole('button', { name: /number 4999 of them/ })).toBeFocused();
});
