import { join } from 'node:path';

import { keepRecipes } from '../recipes.ts';
import { sound } from '../sound.ts';
import { closable, underWay } from '../underway.ts';
import { manifest, module } from '../weather.ts';
import { ask, expect, go, goal, open, serve, status, test } from '../window.ts';

const program = serve((home) => {
  home.file('.config/errand/errand.toml', '[policy]\nallowed_domains = ["@catalogue", "nowhere.example"]\n'); // a name that nobody has
  for (const name of ['Old', 'Notes', 'Spare']) home.folder('Documents', name);
  home.file('Documents/Notes.txt', ''); // so that "Notes" may be either
  home.file('weather/weather.wasm', module);
  home.file('weather/plugin.toml', manifest('1.0.0', ''));
});

test('the goal, its plan, a question and a run', async ({ page }) => {
  await open(page, program.url);
  await sound(page, 'goal');
  await page.keyboard.type('open you');
  await expect(page.getByRole('option').first()).toBeVisible();
  await sound(page, 'suggestions');
  await ask(page, 'delete folder Old in documents');
  await expect(page.getByRole('button', { name: /^Delete the folder/ })).toBeEnabled();
  await sound(page, 'plan that waits');
  await page.keyboard.press('Escape');
  await ask(page, 'delete Notes in documents');
  await expect(page.getByText('One question first')).toBeVisible();
  await sound(page, 'question');
  await page.keyboard.press('Escape');
  await ask(page, 'open example.org');
  await expect(page.getByText('Not allowed').first()).toBeVisible();
  await sound(page, 'plan that is refused');
  await page.keyboard.press('Escape');
  await ask(page, 'book a flight to the moon');
  await expect(page.getByText('No plan').first()).toBeVisible();
  await sound(page, 'no plan');
  await page.keyboard.press('Escape');
  await ask(page, 'open youtube and search nvidia');
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  await expect(status(page)).toContainText('Done');
  await sound(page, 'run');
  await page.locator('.row button').first().click();
  await sound(page, 'run, with its step open');
  await page.getByRole('button', { name: 'Screenshot of the page' }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await sound(page, 'picture, large');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save as recipe' }).click();
  await sound(page, 'run that becomes a recipe');
});

test('a run under way, one that waits for a person, and the question whether it may end', async ({ page }) => {
  const askToClose = await closable(page);
  await open(page, program.url);
  await ask(page, 'open youtube and search nvidia');
  await expect(status(page)).toContainText('Done');
  await underWay(page, { status: 'running', waits: null });
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  await sound(page, 'run under way');
  await underWay(page, { status: 'running', waits: { kind: 'captcha', url: 'https://youtube.com/', until: Date.now() + 300_000 } });
  await expect(page.getByText('The page asks you to prove that you are a person.', { exact: true })).toBeVisible();
  await sound(page, 'page that waits for a person');
  await askToClose();
  const closing = page.getByRole('dialog', { name: 'A goal is running' });
  await expect(closing.getByRole('button', { name: 'Keep open' })).toBeFocused(); // the default ends nothing
  await sound(page, 'closing');
  await page.keyboard.press('Escape');
  await expect(closing).toBeHidden();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
});

test('a run that did not work', async ({ page }) => {
  await open(page, program.url);
  await ask(page, 'open https://nowhere.example/');
  await expect(status(page)).toContainText('Failed');
  await sound(page, 'failed run');
  await page.locator('.row button').first().click();
  await sound(page, 'failed run, with its step open');
});

test('the rooms, empty and full', async ({ page }) => {
  await open(page, program.url);
  await go(page, '/drafts');
  await expect(page.getByText('No drafts.')).toBeVisible();
  await sound(page, 'no drafts');
  program.home.errand('demo', 'delete folder Spare in documents');
  await page.getByRole('button', { name: /delete folder Spare/ }).click();
  await expect(page.getByRole('button', { name: /^Delete the folder/ })).toBeEnabled();
  await sound(page, 'draft');
  await page.getByRole('button', { name: /^Change the step/ }).click();
  await sound(page, 'draft, with its step changed');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { level: 1, name: 'Waiting for you' })).toBeVisible();
  await sound(page, 'drafts');

  await go(page, '/runs');
  await expect(page.getByRole('list', { name: 'Runs' })).toBeVisible();
  await sound(page, 'runs');

  await go(page, '/recipes');
  await expect(page.getByText('No recipes yet.')).toBeVisible();
  await sound(page, 'no recipes');

  await go(page, '/plugins/text');
  await expect(page.getByText('Digest').first()).toBeVisible();
  await page.getByRole('button', { name: 'Install…' }).click();
  await sound(page, 'plugins');

  await go(page, '/policy');
  const address = page.getByRole('textbox', { name: 'Address' });
  await address.fill('https://example.org/');
  await address.press('Enter');
  await expect(page.getByRole('heading', { name: 'How it was decided' })).toBeVisible();
  await sound(page, 'policy');

  await go(page, '/settings');
  await expect(page.getByRole('heading', { name: 'Language and look' })).toBeVisible();
  await sound(page, 'settings');

  await go(page, '/doctor');
  await expect(page.locator('main li').first()).toBeVisible();
  await sound(page, 'doctor');
});

test('recipes, their parameters, and an update that a plugin proposes', async ({ page }) => {
  keepRecipes(program.home);
  await open(page, program.url);
  await go(page, '/recipes');
  await expect(page.getByRole('heading', { name: 'trip', exact: true })).toBeVisible();
  await expect(page.getByText('spoilt.toml').first()).toBeVisible();
  await sound(page, 'recipes');
  await go(page, '/recipes/trip');
  await expect(page.getByRole('textbox', { name: /place/ })).toBeVisible();
  await sound(page, 'parameters of a recipe');

  program.home.errand('plugin', 'install', join(program.home.path, 'weather'), '--yes');
  program.home.file('weather/plugin.toml', manifest('1.1.0', 'hosts = ["api.weather.example"]'));
  await go(page, '/plugins/weather');
  await page.getByRole('button', { name: 'Check for an update' }).click();
  await expect(page.getByRole('heading', { name: 'Update weather' })).toBeVisible();
  await sound(page, 'update');
});

test('the palette and the sheet of keys', async ({ page }) => {
  await open(page, program.url);
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
  await sound(page, 'palette');
  await page.keyboard.press('Escape');
  await expect(goal(page)).toBeFocused();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await sound(page, 'keys');
});
