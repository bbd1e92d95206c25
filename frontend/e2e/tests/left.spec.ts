// A plan that is left, for another room or by loading the page again.

import type { Page } from '@playwright/test';

import { ask, expect, go, goal, open, serve, status, test } from '../window.ts';

const program = serve((home) => {
  for (const name of ['Old', 'Notes', 'Oslo']) home.folder('Documents', name);
  home.file('Documents/Notes.txt', ''); // so that "Notes" may be either
  home.file('.config/errand/recipes/away.toml', 'schema = 1\nname = "away"\n[params.place]\n[[step]]\ntool = "files.delete_folder"\nargs = { path = "~/Documents/{place}" }\n');
});

test.beforeEach(async ({ page }) => open(page, program.url));

const goals = (page: Page) => page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: /^Goal/ });

test('a plan is still there after another room, which says that it waits', async ({ page }) => {
  await ask(page, 'delete folder Old in documents');
  await expect(page.getByText('Needs approval', { exact: true })).toBeVisible();
  await expect(goals(page)).toHaveAccessibleName('Goal');
  await go(page, '/policy');
  await expect(goals(page)).toHaveAccessibleName('Goal: a plan waits');
  await goals(page).click();
  await expect(page.getByText('Needs approval', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await go(page, '/policy');
  await expect(goals(page)).toHaveAccessibleName('Goal');
});

test('a plan is there again after the page was loaded again, waits for a new yes, and is over when it was cancelled', async ({ page }) => {
  await ask(page, 'delete Notes in documents');
  await expect(page.getByText('One question first')).toBeVisible();
  await page.reload();
  await expect(page.getByText('One question first')).toBeVisible();
  await page.getByRole('group').getByRole('button', { name: 'folder' }).click();
  await expect(page.getByText('Needs approval', { exact: true })).toBeVisible();
  await go(page, '/settings');
  await page.reload(); // in another room
  await expect(goals(page)).toHaveAccessibleName('Goal: a plan waits');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await goals(page).click();
  const yes = page.getByRole('button', { name: /^Delete the folder .*Notes/ });
  await expect(yes).toBeEnabled();
  expect(program.home.has('Documents', 'Notes')).toBe(true);
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Notes'); // the words stay in the program
  await yes.click();
  await expect(status(page)).toContainText('Done');
  expect(program.home.has('Documents', 'Notes')).toBe(false);
  await page.keyboard.press('Escape');
  await expect(goal(page)).toBeFocused();
  await page.reload();
  await expect(goal(page)).toBeFocused();

  await ask(page, 'delete folder Old in documents');
  await expect(page.getByText('Needs approval', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(goal(page)).toBeFocused();
  await expect(page.getByText('Recent')).toBeVisible();
  await expect(page.getByText('Needs approval', { exact: true })).toBeHidden();
  expect(program.home.has('Documents', 'Old')).toBe(true);
});

test('a goal that policy would let run does not run because a page was loaded again', async ({ page }) => {
  await page.route('**/api/Plan', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { result: { gate: string } };
    body.result.gate = 'question'; // so that the plan is shown
    await route.fulfill({ response, json: body });
  });
  await ask(page, 'create folder Trips in documents');
  await expect(page.getByText('One question first')).toBeVisible();
  await page.unroute('**/api/Plan');
  const planned = page.waitForResponse('**/api/Plan');
  await page.reload();
  await planned;
  await expect(page.getByRole('heading', { level: 1, name: 'create folder Trips in documents' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  expect(program.home.has('Documents', 'Trips')).toBe(false);
});

test('a recipe’s plan comes back with what it was given', async ({ page }) => {
  await go(page, '/recipes/away');
  await page.getByRole('textbox', { name: /place/ }).fill('Oslo');
  await page.getByRole('button', { name: 'Make the plan' }).click();
  const waits = page.getByText('Needs approval', { exact: true });
  await expect(waits).toBeVisible();
  await page.reload();
  await expect(waits).toBeVisible();
  await expect(page.getByText('Documents/Oslo').first()).toBeVisible();
  expect(program.home.has('Documents', 'Oslo')).toBe(true);
});
