// Two tabs on one program: what one does the other sees, and no yes counts twice.

import { ask, expect, go, open, serve, status, test } from '../window.ts';

const program = serve((home) => {
  for (const name of ['Old', 'New']) home.folder('Documents', name);
});

test('a draft that is approved in one tab is over in the other, which can approve it no more', async ({ page, context }) => {
  const other = await context.newPage();
  await open(page, program.url);
  await open(other, program.url);
  program.home.errand('demo', 'delete folder Old in documents');
  for (const tab of [page, other]) {
    await tab.bringToFront();
    await tab.getByRole('link', { name: 'Waiting for you: 1' }).click();
    await tab.getByRole('button', { name: /delete folder Old/ }).click();
    await expect(tab.getByRole('button', { name: /^Delete the folder .*Old/ })).toBeVisible();
  }
  await page.bringToFront();
  await page.getByRole('button', { name: /^Delete the folder .*Old/ }).click();
  await expect(status(page)).toContainText('Done');
  await other.bringToFront();
  await expect(other.getByRole('link', { name: 'Waiting for you', exact: true })).toBeVisible();
  const yes = other.getByRole('button', { name: /^Delete the folder .*Old/ });
  if (await yes.isVisible()) await yes.click(); // it was there before the news
  await expect(yes).toBeHidden();
  await other.bringToFront();
  await go(other, '/runs');
  await expect(other.getByRole('listitem').filter({ hasText: 'delete folder Old in documents' })).toHaveCount(1);
});

test('the plan of one tab is not approved by the yes of the other', async ({ page, context }) => {
  const other = await context.newPage();
  await open(page, program.url);
  await ask(page, 'delete folder New in documents');
  await expect(page.getByText('Needs approval', { exact: true })).toBeVisible();
  await open(other, program.url);
  await other.bringToFront();
  await ask(other, 'what time is it');
  await expect(status(other)).toContainText('Done');
  expect(program.home.has('Documents', 'New')).toBe(true);
  await page.bringToFront();
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(program.home.has('Documents', 'New')).toBe(true);
});
