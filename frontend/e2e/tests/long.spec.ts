import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { expect, go, open, serve, test } from '../window.ts';

const MANY = 5000;

/** Steps of a plan, as many as a recipe may have. */
const STEPS = 200;

/** Rows that a window may hold at once, however many there are: those in sight, and a margin. */
const MOST_ROWS = 120;

const root = join(import.meta.dirname, '..', '..', '..');

const program = serve((home) => {
  const record = home.folder('.local', 'share', 'errand');
  const steps = Array.from({ length: STEPS }, (_, i) => `[[step]]\ntool = "files.create_folder"\nargs = { path = "~/Documents/Box ${i + 1}" }\n`);
  home.file('.config/errand/errand.toml', '[policy]\nuser_goal_tools = []\n'); // nothing runs without a yes
  home.file('.config/errand/recipes/boxes.toml', `schema = 1\nname = "boxes"\ndescription = "Many boxes"\n\n${steps.join('\n')}`);
  // Two steps on late pages delete for good what an extraction made.
  const wipe = (name: string) => `[[step]]\nid = "wipe-${name}"\ntool = "archive.remove_extracted"\nargs = { path = "~/Documents/${name}", made = [] }\n`;
  const tidy = steps.map((s, i) => (i === 149 ? wipe('First') : i === 179 ? wipe('Second') : s));
  home.file('.config/errand/recipes/tidy.toml', `schema = 1\nname = "tidy"\ndescription = "Boxes, and what is not needed any more"\n\n${tidy.join('\n')}`);
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

/** Cuts the first part of a plan, which comes with it, so that the rest has to be asked for. */
async function shorten(page: Page): Promise<void> {
  await page.route('**/api/PlanRecipe', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { result: { steps: unknown[]; total: number } };
    body.result.steps.splice(20);
    await route.fulfill({ response, json: body });
  });
}

test('every step of a long plan can be read before the yes', async ({ page }) => {
  await shorten(page);
  await open(page, program.url);
  await go(page, '/recipes/boxes');
  await page.getByRole('button', { name: /plan/i }).first().click();
  await expect(page.getByText('Needs approval', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: `Run ${STEPS} steps` })).toBeVisible();
  const rows = page.locator('[data-row]');
  await expect(rows.first()).toHaveAttribute('aria-setsize', String(STEPS));
  expect(await rows.count()).toBeLessThan(MOST_ROWS);
  await page.keyboard.press('k'); // from nowhere: the last one
  const last = page.getByRole('article', { name: /^200\. .*Box 200$/ });
  await expect(last).toBeFocused();
  await expect(last).toBeInViewport();
  await page.keyboard.press('k');
  await expect(page.getByRole('article', { name: /^199\. / })).toBeFocused();
  await scroll(page, 60);
  await page.locator('[data-scrolls]').evaluate((main) => (main.scrollTop = main.scrollHeight / 2));
  await expect(page.getByRole('article', { name: /^(9|10)\d\. / }).first()).toBeVisible();
  expect(await rows.count()).toBeLessThan(MOST_ROWS);
});

test('a destructive step far down in a long plan has a tick of its own', async ({ page }, info) => {
  test.slow();
  await shorten(page);
  let late = true;
  await page.route('**/api/PlanSteps', async (route) => {
    if (late) await route.fulfill({ status: 400, json: { error: { class: 'tool_unavailable', code: 'busy', message: 'not now', hint: '', retriable: true } } });
    else await route.fallback();
  });
  await open(page, program.url);
  await go(page, '/recipes/tidy');
  await page.getByRole('button', { name: /plan/i }).first().click();
  await expect(page.getByText('Needs approval', { exact: true })).toBeVisible();

  // Nothing can be approved as long as a step may be missing that needs a tick.
  await page.getByRole('textbox', { name: 'How many' }).fill(String(STEPS));
  const run = page.getByRole('button', { name: /^Run \d+ steps/ });
  await expect(run).toBeDisabled();
  late = false;
  await page.getByRole('button', { name: 'Try again' }).click();

  const ticks = page.getByRole('checkbox');
  await expect(ticks).toHaveCount(2);
  // Each step of a recipe follows the one before it, and none runs after one that waits.
  const [first, second] = [page.getByRole('checkbox', { name: /First/ }), page.getByRole('checkbox', { name: /Second/ })];
  await expect(run).toHaveAccessibleName('Run 149 steps');
  await expect(run).toBeEnabled();
  await first.check();
  await expect(run).toHaveAccessibleName('Run 179 steps');
  await second.check();
  await expect(run).toHaveAccessibleName(`Run ${STEPS} steps`);
  await second.uncheck();
  await expect(run).toHaveAccessibleName('Run 179 steps');
  await info.attach('ticks', { body: await page.screenshot({ path: info.outputPath('ticks.png') }), contentType: 'image/png' });
  await run.click();
  await expect(page.getByText('179 of 200')).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText(/errand approve \S+ wipe-Second a181 .*a200 --confirm 21$/)).toBeVisible(); // what is left
  expect([program.home.has('Documents', 'Box 179'), program.home.has('Documents', 'Box 181')]).toEqual([true, false]);
});
