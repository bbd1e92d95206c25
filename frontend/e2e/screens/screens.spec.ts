// Pictures of every screen, light and dark, for the documents. Nothing is held
// against them: they are looked at.

import { join } from 'node:path';

import { ask, expect, go, open, serve, test } from '../window.ts';
import { still } from './fixed.ts';
import { picture } from './picture.ts';
import { keepRecipes } from '../recipes.ts';
import { manifest, module } from '../weather.ts';

const program = serve((home) => {
  for (const name of ['Old', 'Old/letters', 'Notes', 'Invoices']) home.folder('Documents', name);
  home.file('Documents/Old/2019.ods', 'numbers');
  home.file('Documents/Old/letters/aunt.odt', 'Dear aunt');
  keepRecipes(home);
  home.file('weather/weather.wasm', module);
  home.file('weather/plugin.toml', manifest('1.0.0', ''));
  for (const goal of ['open github', 'create folder Reports in documents', 'search wikipedia for alan turing', 'open youtube and search nvidia']) home.errand('demo', '--yes', goal);
});

test.beforeEach(async ({ page }) => {
  await still(page, program.home);
  await open(page, program.url);
});

test('goal', async ({ page }) => {
  await expect(page.getByText('Recent')).toBeVisible();
  await picture(page, 'goal');
  await page.keyboard.type('search wikipedia for alan');
  await expect(page.getByRole('option').first()).toBeVisible();
  await expect(page.locator('#reading')).toContainText('Wikipedia');
  await picture(page, 'suggestions');
});

test('plan', async ({ page }) => {
  await ask(page, 'delete folder Old in documents');
  await expect(page.getByRole('button', { name: /^Delete the folder/ })).toBeEnabled();
  await picture(page, 'plan');
  await page.keyboard.press('Escape');
  await ask(page, 'delete Notes in documents');
  await expect(page.getByText('One question first')).toBeVisible();
  await picture(page, 'question');
  await page.keyboard.press('Escape');
  await ask(page, 'open example.org');
  await expect(page.getByText('Not allowed').first()).toBeVisible();
  await picture(page, 'refused');
});

test('runs', async ({ page }) => {
  await go(page, '/runs');
  const lines = page.getByRole('list', { name: 'Runs' }).getByRole('button');
  await expect(lines.first()).toBeVisible();
  await picture(page, 'runs');
  await lines.filter({ hasText: 'nvidia' }).first().click();
  const shot = page.getByRole('img', { name: 'Screenshot of the page' }).first();
  await expect(shot).toBeVisible();
  await shot.evaluate((img: HTMLImageElement) => img.decode());
  await picture(page, 'run');
});

test('running', async ({ page }) => {
  await ask(page, 'search youtube for cats and search wikipedia for alan turing');
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  await picture(page, 'running');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.keyboard.press('ControlOrMeta+.');
});

test('drafts', async ({ page }) => {
  program.home.errand('demo', 'delete folder Invoices in documents');
  await go(page, '/drafts');
  const draft = page.getByRole('button', { name: /delete folder Invoices/ });
  await expect(draft).toBeVisible();
  await picture(page, 'drafts');
  await draft.click();
  await expect(page.getByRole('button', { name: /^Delete the folder/ })).toBeEnabled();
  await picture(page, 'draft');
});

test('recipes', async ({ page }) => {
  await go(page, '/recipes');
  await expect(page.getByRole('heading', { name: 'trip', exact: true })).toBeVisible();
  await picture(page, 'recipes');
});

test('plugins', async ({ page }) => {
  program.home.errand('plugin', 'install', join(program.home.path, 'weather'), '--yes');
  program.home.file('weather/plugin.toml', manifest('1.1.0', 'hosts = ["api.weather.example"]'));
  await go(page, '/plugins/weather');
  await page.getByRole('button', { name: 'Check for an update' }).click();
  await expect(page.getByRole('heading', { name: 'Update weather' })).toBeVisible();
  await page.locator('main').evaluate((main) => (main.scrollTop = 0));
  await picture(page, 'plugins');
});

test('policy', async ({ page }) => {
  await go(page, '/policy');
  const address = page.getByRole('textbox', { name: 'Address' });
  await address.fill('http://169.254.169.254/');
  await address.press('Enter');
  await expect(page.getByRole('heading', { name: 'How it was decided' })).toBeVisible();
  await picture(page, 'policy');
});

test('settings, doctor, palette and keys', async ({ page }) => {
  await go(page, '/settings');
  await expect(page.getByRole('heading', { name: 'Language and look' })).toBeVisible();
  await picture(page, 'settings');
  await go(page, '/doctor');
  await expect(page.locator('main li').first()).toBeVisible();
  await picture(page, 'doctor');
  await go(page, '/goal');
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
  await picture(page, 'palette');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await picture(page, 'keys');
});
