import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { ask, choose, expect, go, goal, open, serve, status, test } from '../window.ts';
import { manifest, module } from '../weather.ts';

const program = serve();

test.beforeEach(async ({ page }) => open(page, program.url));

test('what ran is found again, by its words and by how it ended', async ({ page }) => {
  for (const text of ['what time is it', 'what is the date']) {
    await ask(page, text);
    await expect(status(page)).toContainText('Done');
    await page.keyboard.press('Escape');
    await expect(goal(page)).toBeFocused();
  }
  await go(page, '/runs');
  const lines = page.getByRole('list', { name: 'Runs' }).getByRole('button');
  await expect(lines).toHaveCount(2);
  await expect(lines.first()).toContainText('what is the date'); // the latest first
  const search = page.getByRole('searchbox');
  await search.fill('time');
  await expect(lines).toHaveCount(1);
  await search.fill('nothing has these words');
  await expect(page.getByText('No run contains these words.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(lines).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Show' }).selectOption({ label: 'Failed' });
  await expect(page.getByText('No run contains these words.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Show' }).selectOption({ label: 'All' });

  await lines.last().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('what time is it');
  await page.getByRole('button', { name: 'Replay' }).click();
  await expect(page.getByText('Replayed offline: the same result.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(lines.last()).toBeFocused(); // back where one was
});

test('an update says what a plugin may do more, and asks for a yes to that', async ({ page }) => {
  const folder = program.home.folder('weather');
  program.home.file('weather/weather.wasm', module);
  program.home.file('weather/plugin.toml', manifest('1.0.0', ''));
  await go(page, '/plugins');
  await page.getByRole('button', { name: 'Install…' }).click();
  await page.getByRole('textbox', { name: 'File, folder' }).fill(folder);
  await page.getByRole('button', { name: 'Read it' }).click();
  await expect(page.getByRole('heading', { name: 'Install weather 1.0.0?' })).toBeVisible();
  await page.getByRole('button', { name: 'Install', exact: true }).click();
  const plugin = page.getByRole('button', { name: /^weather / });
  await expect(plugin).toContainText('1.0.0');

  program.home.file('weather/plugin.toml', manifest('1.1.0', 'hosts = ["api.weather.example"]'));
  await plugin.click();
  await page.getByRole('button', { name: 'Check for an update' }).click();
  const proposal = page.getByRole('region', { name: 'Update weather from 1.0.0 to 1.1.0?' });
  const change = proposal.getByRole('listitem').filter({ hasText: 'more' });
  await expect(change).toContainText('api.weather.example');
  await expect(proposal).toContainText('Your policy does not let it reach: api.weather.example');
  const update = proposal.getByRole('button', { name: 'Update' });
  await expect(update).toBeDisabled();
  await proposal.getByRole('checkbox').check();
  await update.click();
  await expect(plugin).toContainText('1.1.0');
});

test('a plugin is given the folder that it asks for, and another one later', async ({ page }) => {
  const folder = program.home.folder('sorter');
  const [letters, bills] = [program.home.folder('Letters'), program.home.folder('Bills')];
  program.home.file('sorter/sorter.wasm', module);
  program.home.file('sorter/plugin.toml', manifest('1.0.0', '[[paths]]\nroot = "letters"').replaceAll('weather', 'sorter'));
  await go(page, '/plugins');
  await page.getByRole('button', { name: 'Install…' }).click();
  await page.getByRole('textbox', { name: 'File, folder' }).fill(folder);
  await page.getByRole('button', { name: 'Read it' }).click();
  const proposal = page.getByRole('region', { name: 'Install sorter 1.0.0?' });
  await expect(proposal).toContainText('Choose the folders that it asks for: letters');
  const given = page.getByRole('textbox', { name: 'Folder for letters' });
  const give = page.getByRole('button', { name: 'Grant this folder' });
  await given.fill('~/Nowhere');
  await expect(proposal.getByRole('button', { name: 'Install', exact: true })).toBeDisabled(); // it was not given yet
  await give.click();
  await expect(page.getByRole('alert').filter({ hasText: 'Nowhere does not exist' })).toBeVisible();
  await given.fill('~/Letters');
  await given.press('Enter');
  await expect(given).toHaveValue(letters);
  await expect(proposal).toContainText(`reads letters: ${letters}`);
  await proposal.getByRole('button', { name: 'Install', exact: true }).click();

  const plugin = page.getByRole('button', { name: /^sorter / });
  await plugin.click();
  await page.getByRole('button', { name: 'Check for an update' }).click();
  await expect(page.getByText('This version is installed already.')).toBeVisible();
  await expect(given).toHaveValue(letters);
  await given.fill(bills);
  await give.click();
  await expect(given).toHaveValue(bills);
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await expect(page.getByRole('region', { name: /sorter/ })).toHaveCount(0);
  expect(program.home.errand('plugin', 'update', 'sorter', '--yes', '--json')).toContain(bills);
});

test('a plugin is handed over from where the person is, and looked at before anything is installed', async ({ page }) => {
  program.home.file('handed/forecast.wasm', module);
  program.home.file('handed/plugin.toml', manifest('2.0.0', '').replaceAll('weather', 'forecast'));
  const archive = join(program.home.path, 'forecast.tar.gz');
  execFileSync('tar', ['-czf', archive, '-C', program.home.path, 'handed']);
  await go(page, '/plugins');
  await page.getByRole('button', { name: 'Install…' }).click();
  await choose(page, () => page.getByRole('button', { name: 'From a file' }).click(), archive);
  await expect(page.getByRole('heading', { name: 'Install forecast 2.0.0?' })).toBeVisible();
  await page.getByRole('button', { name: 'Install', exact: true }).click();
  await expect(page.getByRole('button', { name: /^forecast / })).toContainText('2.0.0');

  await page.getByRole('button', { name: 'Install…' }).click();
  await choose(page, () => page.getByRole('button', { name: 'From a file' }).click(), { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') });
  await expect(page.getByText('"notes.txt" is not the file of a plugin', { exact: true })).toBeVisible();
});

test('what helps is said in the window’s own words, and never as a command', async ({ page }) => {
  await go(page, '/runs/01zzzzzzzzzzzzzzzzzzzzzzzz');
  await expect(page.getByText('run_not_found')).toBeVisible();
  await expect(page.getByText('Look for it under Runs.')).toBeVisible();
  await expect(page.getByText(/errand [a-z]+/)).toHaveCount(0);
});

test('policy says what it decides of an address, by which rule, and what would change it', async ({ page }) => {
  await go(page, '/policy');
  const address = page.getByRole('textbox', { name: 'Address' });
  await address.fill('http://169.254.169.254/');
  await address.press('Enter');
  await expect(page.getByText('not allowed').first()).toBeVisible();
  await expect(page.getByText('floor.private_address').first()).toBeVisible();
  await expect(page.getByText("allow_private = ['169.254.169.254:80']")).toBeVisible();

  await address.fill('https://youtube.com/');
  await address.press('Enter');
  await expect(page.getByRole('heading', { name: 'How it was decided' }).locator('..').getByText('allowed', { exact: true }).first()).toBeVisible();
});

test('a number that is none is not taken for one, neither in a setting nor in what is to be forgotten', async ({ page }) => {
  await go(page, '/settings');
  const parallel = page.getByRole('textbox', { name: 'Steps at the same time' });
  const before = await parallel.inputValue();
  await parallel.fill('ten');
  await expect(page.getByText('Type a whole number.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await parallel.press('Enter');
  await parallel.press('Escape');
  await expect(parallel).toHaveValue(before);
  expect(program.home.has('.config', 'errand', 'errand.toml')).toBe(false);
  await page.getByRole('textbox', { name: /Older than/ }).fill('a month'); // of no days it would be all there is
  await expect(page.getByText('Type a whole number.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Count', exact: true })).toBeDisabled();
});

test('removing the known sites says what that closes, and they can be added again', async ({ page }) => {
  await go(page, '/policy');
  const remove = page.getByRole('button', { name: 'Remove @catalogue from the list' });
  await remove.click();
  await expect(page.getByText('will no longer open the sites that it knows')).toBeVisible();
  await page.getByRole('button', { name: 'Keep' }).click();
  await remove.click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('None. No web page may be opened.')).toBeVisible();
  await page.getByRole('button', { name: 'Add @catalogue to the list' }).click();
  await expect(remove).toBeVisible();
  await expect(page.getByText('None. No web page may be opened.')).toHaveCount(0);
});

test('a plugin that is part of the program is switched off and on again', async ({ page }) => {
  await go(page, '/plugins');
  const toggle = page.getByRole('switch', { name: /text/ });
  await expect(toggle).toBeChecked();
  await toggle.click();
  await expect(toggle).not.toBeChecked();
  await page.reload();
  await expect(toggle).not.toBeChecked();
  await toggle.click();
  await expect(toggle).toBeChecked();
  await expect(page.getByText('not_installed')).toHaveCount(0);
});
