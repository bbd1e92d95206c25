import { ask, expect, goal, open, serve, status, test } from '../window.ts';

const program = serve((home) => {
  for (const name of ['Old', 'Kept', 'Early', 'Slow', 'Ready']) home.folder('Documents', name);
});

test.beforeEach(async ({ page }) => open(page, program.url));

/** Another program makes a draft; the window hears of it by itself. */
const draft = (name: string) => program.home.errand('demo', `delete folder ${name} in documents`);

test('a draft of another program is seen from everywhere, and approved', async ({ page }) => {
  const rail = page.getByRole('navigation', { name: 'Sections' });
  draft('Old');
  await rail.getByRole('link', { name: 'Waiting for you: 1' }).click();
  await page.getByRole('button', { name: /delete folder Old/ }).click();
  await expect(page.getByText(`${program.home.path}/Documents/Old`).first()).toBeVisible();
  await expect(page.getByText('Deletes or overwrites', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: /^Delete the folder .*Old/ }).click();
  await expect(status(page)).toContainText('Done');
  expect(program.home.has('Documents', 'Old')).toBe(false);
  await expect(rail.getByRole('link', { name: 'Waiting for you', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo…' })).toBeVisible();
});

test('a draft that was approved elsewhere is applied, and not approved again', async ({ page }) => {
  draft('Ready');
  const { drafts } = JSON.parse(program.home.errand('drafts', '--json')) as { drafts: { draft_id: string }[] };
  program.home.errand('approve', drafts[0]!.draft_id, '--no-apply');
  await page.getByRole('link', { name: /Waiting for you: 1/ }).click();
  await page.getByRole('button', { name: /delete folder Ready/ }).filter({ hasText: 'approved, not run yet' }).click();
  await expect(page.getByText('Approved, not run yet')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Delete the folder/ })).toBeHidden();
  expect(program.home.has('Documents', 'Ready')).toBe(true);
  await page.getByRole('button', { name: /^Apply/ }).click();
  await expect(status(page)).toContainText('Done');
  expect(program.home.has('Documents', 'Ready')).toBe(false);
});

test('a draft is denied, and nothing has happened', async ({ page }) => {
  draft('Kept');
  await page.getByRole('link', { name: /Waiting for you: 1/ }).click();
  await page.getByRole('button', { name: /delete folder Kept/ }).click();
  const no = page.getByRole('button', { name: 'Reject' });
  await expect(no).toBeFocused(); // the default
  await page.keyboard.press('Enter');
  await expect(page.getByText('No drafts.')).toBeVisible();
  expect(program.home.has('Documents', 'Kept')).toBe(true);
});

test('no click and no key approves before the button is armed, and none that brings the window to the front', async ({ page }) => {
  await page.clock.install();
  await ask(page, 'delete folder Early in documents');
  const yes = page.getByRole('button', { name: /^Delete the folder .*Early/ });
  const no = page.getByRole('button', { name: 'Cancel' });
  await expect(no).toBeFocused();
  await expect(yes).toBeEnabled();
  await page.clock.pauseAt(Date.now() + 60_000);

  // The window comes to the front: it is deaf again, for just as long.
  await page.evaluate(() => dispatchEvent(new FocusEvent('focus')));
  await expect(yes).toBeDisabled();
  await yes.click({ force: true });
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.clock.runFor(399);
  await expect(yes).toBeDisabled();
  await yes.click({ force: true });
  await page.keyboard.press('ControlOrMeta+Enter');
  expect(program.home.has('Documents', 'Early')).toBe(true);
  await page.clock.runFor(2);
  await expect(yes).toBeEnabled();
  expect(program.home.has('Documents', 'Early')).toBe(true);

  // Plain Enter never approves, wherever the focus is.
  await yes.focus();
  await page.keyboard.press('Enter');
  await page.clock.runFor(1000);
  await expect(yes).toBeVisible();
  expect(program.home.has('Documents', 'Early')).toBe(true);
  await no.focus();
  await page.keyboard.press('Enter');
  await expect(goal(page)).toBeVisible();
  expect(program.home.has('Documents', 'Early')).toBe(true);
});

test('Ctrl+Enter approves once the button is armed', async ({ page }) => {
  await ask(page, 'delete folder Slow in documents');
  await expect(page.getByRole('button', { name: /^Delete the folder .*Slow/ })).toBeEnabled();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(status(page)).toContainText('Done');
  expect(program.home.has('Documents', 'Slow')).toBe(false);
});
