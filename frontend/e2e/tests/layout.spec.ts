// Every screen in narrow windows and with large text: nothing stands past the
// edge, and what has the focus is in sight (WCAG 2.2: 1.4.4, 1.4.10, 2.4.11).

import { join } from 'node:path';

import type { Locator, Page } from '@playwright/test';

import { keepRecipes } from '../recipes.ts';
import { closable, underWay } from '../underway.ts';
import { manifest, module } from '../weather.ts';
import { ask, expect, go, open, serve, status, test } from '../window.ts';

const program = serve((home) => {
  for (const name of ['Old', 'Notes', 'Spare']) home.folder('Documents', name);
  home.file('Documents/Notes.txt', ''); // so that "Notes" may be either
  keepRecipes(home);
  home.file('weather/weather.wasm', module);
  home.file('weather/plugin.toml', manifest('1.0.0', ''));
});

const WIDTHS = [320, 480, 768, 1280];
const SCALES = [100, 150, 200];
const HEIGHT = 720;

test.slow(); // each screen is walked twelve times, control by control

/** What on the page stands past its edges, and what can have the focus and would be hidden with it. Run in the page. */
async function faultsOf(): Promise<string[]> {
  const faults: string[] = [];
  const name = (e: Element) => `${e.localName}.${e.className} “${(e.getAttribute('aria-label') ?? e.textContent ?? '').trim().slice(0, 40)}”`;
  const root = document.scrollingElement!;
  const scrolled = [root, document.body, ...document.querySelectorAll('main, dialog[open]')];
  for (const box of scrolled) {
    if (box.scrollWidth <= box.clientWidth) continue;
    const edge = box.getBoundingClientRect().left + box.clientWidth;
    const past = [...box.querySelectorAll('*')].filter((e) => e.getBoundingClientRect().right > edge + 1);
    faults.push(`${box.localName} is ${box.scrollWidth} wide in ${box.clientWidth}: ${past.slice(0, 3).map(name).join(', ')}`);
  }
  for (const box of document.querySelectorAll('main *, dialog[open] *')) {
    const { borderBlockEndWidth, overflowY } = getComputedStyle(box);
    const below = box.scrollHeight - box.clientHeight;
    if (parseFloat(borderBlockEndWidth) > 0 && overflowY === 'visible' && below > 4) faults.push(`${name(box)} is left by its words, ${below} px below`);
  }
  // A word is broken only where it would not fit a line of its own: half of the column is more than any indentation leaves.
  const column = document.querySelector('dialog[open]') ?? document.querySelector('.column')!;
  const { paddingLeft, paddingRight } = getComputedStyle(column);
  const line = (column.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)) / 2;
  const range = document.createRange();
  const texts = document.createTreeWalker(column, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const at = text.parentElement!;
    if (at.closest('.mono, .spoken, pre') || !at.checkVisibility({ visibilityProperty: true })) continue;
    for (const word of (text.textContent ?? '').matchAll(/(?<!\S)\p{L}{3,}(?!\S)/gu)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const parts = [...range.getClientRects()].filter((r) => r.width > 0);
      const width = parts.reduce((sum, r) => sum + r.width, 0);
      if (new Set(parts.map((r) => Math.round(r.top))).size > 1 && width < line) faults.push(`“${word[0]}” of ${Math.round(width)} px is broken in ${name(at)}`);
    }
  }
  const before = document.activeElement as HTMLElement | null;
  const front = document.querySelector('dialog[open]') ?? document;
  for (const e of front.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex="0"]')) {
    if (!e.checkVisibility({ visibilityProperty: true }) || e.matches(':disabled, [tabindex="-1"]')) continue;
    e.focus();
    if (document.activeElement !== e) continue;
    await new Promise((painted) => requestAnimationFrame(painted));
    const r = e.getBoundingClientRect();
    if (r.width === 0) continue;
    if (r.left < -1 || r.right > innerWidth + 1) faults.push(`${name(e)} stands from ${Math.round(r.left)} to ${Math.round(r.right)}`);
    // Of something higher than the window its top or its middle has to be seen.
    const points = [r.top + 3, (r.top + r.bottom) / 2, r.bottom - 3].filter((y) => y > 0 && y < innerHeight);
    const x = Math.min(Math.max((r.left + r.right) / 2, 1), innerWidth - 1);
    const seen = points.filter((y) => {
      const at = document.elementFromPoint(x, y);
      return at !== null && (e.contains(at) || at.contains(e) || (at instanceof HTMLLabelElement && at.control === e) || e.closest('label')?.contains(at));
    });
    if (seen.length < Math.min(points.length, 2) || points.length === 0) faults.push(`${name(e)} is hidden with the focus: ${seen.length} of ${points.length} points, ${Math.round(r.top)}–${Math.round(r.bottom)}`);
  }
  before?.focus({ preventScroll: true });
  return faults;
}

/** Holds the screen as it is against each width and each size of text. */
async function fits(page: Page, screen: string, decisions: Locator[] = []): Promise<void> {
  for (const scale of SCALES) {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      await page.evaluate((to) => (document.documentElement.style.fontSize = `${to}%`), scale); // as Appearance does
      await page.locator('main').evaluate((main) => main.scrollTo(0, 0));
      await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
      const where = `${screen}, ${width} px, ${scale} %`;
      expect.soft(await page.evaluate(faultsOf), where).toEqual([]);
      for (const decision of decisions) {
        await decision.blur(); // what has the focus already is not scrolled to
        await decision.focus();
        await expect.soft(decision, where).toBeInViewport({ ratio: 0.99, timeout: 1500 });
      }
    }
  }
  await page.setViewportSize({ width: 1280, height: HEIGHT });
  await page.evaluate(() => (document.documentElement.style.fontSize = ''));
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

test('the goal, its plans and a run fit', async ({ page }) => {
  const askToClose = await closable(page);
  await open(page, program.url);
  await fits(page, 'goal');
  await ask(page, 'delete folder Old in documents');
  await expect(button(page, /^Delete the folder/)).toBeEnabled();
  await fits(page, 'plan that waits', [button(page, /^Delete the folder/), button(page, 'Cancel')]);
  await page.keyboard.press('Escape');
  await ask(page, 'delete Notes in documents');
  await expect(page.getByText('One question first')).toBeVisible();
  await fits(page, 'question', [page.getByRole('group').getByRole('button').first()]);
  await page.keyboard.press('Escape');
  await ask(page, 'open example.org');
  await expect(page.getByText('Not allowed').first()).toBeVisible();
  await fits(page, 'plan that is refused');
  await page.keyboard.press('Escape');
  await ask(page, 'book a flight to the moon');
  await expect(page.getByText('No plan').first()).toBeVisible();
  await fits(page, 'no plan');
  await page.keyboard.press('Escape');
  await ask(page, 'search youtube for cats and search wikipedia for alan turing');
  await expect(status(page)).toContainText('Done');
  await page.locator('.row button').first().click();
  await fits(page, 'run');
  await underWay(page, { status: 'running', waits: { kind: 'captcha', url: 'https://youtube.com/', until: Date.now() + 600_000 } });
  await expect(button(page, 'Stop')).toBeVisible();
  await fits(page, 'run under way', [button(page, 'Stop')]);
  await askToClose();
  const closing = page.getByRole('dialog');
  await expect(closing).toBeVisible();
  await fits(page, 'closing', await closing.getByRole('button').all());
});

test('the rooms fit', async ({ page }) => {
  await open(page, program.url);
  program.home.errand('demo', 'delete folder Spare in documents');
  program.home.errand('demo', '--yes', 'open github');
  program.home.errand('plugin', 'install', join(program.home.path, 'weather'), '--yes');
  program.home.file('weather/plugin.toml', manifest('1.1.0', 'hosts = ["api.weather.example"]'));
  await go(page, '/drafts');
  await fits(page, 'drafts', [button(page, /delete folder Spare/)]);
  await button(page, /delete folder Spare/).click();
  await expect(button(page, /^Delete the folder/)).toBeEnabled();
  await fits(page, 'draft', [button(page, /^Delete the folder/), button(page, 'Reject')]);
  await go(page, '/runs');
  await expect(page.getByRole('list', { name: 'Runs' })).toBeVisible();
  await fits(page, 'runs');
  await go(page, '/recipes/trip');
  await expect(page.getByRole('textbox', { name: /place/ })).toBeVisible();
  const ends = await page.getByRole('button', { name: /^Remove/ }).evaluateAll((all) => all.map((e) => Math.round(e.getBoundingClientRect().right)));
  expect(ends.length).toBeGreaterThan(2);
  expect(new Set(ends).size, 'what removes a recipe stands in one line, also where it can’t be run').toBe(1);
  await fits(page, 'recipes');
  await go(page, '/plugins/weather');
  await button(page, 'Check for an update').click();
  await expect(page.getByRole('heading', { name: 'Update weather' })).toBeVisible();
  await fits(page, 'plugins, with an update', [page.getByRole('button', { name: 'Update', exact: true })]);
  await go(page, '/policy');
  const address = page.getByRole('textbox', { name: 'Address' });
  await address.fill('http://169.254.169.254/');
  await address.press('Enter');
  await expect(page.getByRole('heading', { name: 'How it was decided' })).toBeVisible();
  await fits(page, 'policy');
  await go(page, '/settings');
  await expect(page.getByRole('heading', { name: 'Language and look' })).toBeVisible();
  await fits(page, 'settings');
  await go(page, '/settings/agent');
  await page.getByRole('searchbox', { name: 'Find a tool' }).fill('files.read');
  await page.locator('summary').first().click();
  await fits(page, 'settings of models');
  await go(page, '/doctor');
  await expect(page.locator('main li').first()).toBeVisible();
  await fits(page, 'doctor');
});

test('what lies over the rooms fits', async ({ page }) => {
  await open(page, program.url);
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
  await fits(page, 'palette');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await fits(page, 'keys', [page.getByRole('dialog').getByRole('button', { name: 'Close' })]);
});
