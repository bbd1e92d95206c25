import { ask, expect, open, serve, test } from '../window.ts';

const program = serve((home) => {
  home.folder('Documents', 'Old');
});

test.beforeEach(async ({ page }) => open(page, program.url));

test('a screen reader is told how each plan stands, and nothing of the one before', async ({ page }) => {
  const now = page.locator('[aria-live="assertive"]');
  await ask(page, 'delete folder Old in documents');
  await expect(now).toHaveText('A plan needs your approval.');
  await page.keyboard.press('Escape');
  await expect(now).toHaveText('');
  await ask(page, 'open http://169.254.169.254/');
  await expect(now).toContainText('Not allowed');
  await page.keyboard.press('Escape');
  await ask(page, 'book a flight to the moon');
  await expect(now).toContainText('No plan');
  await expect(page.locator('[aria-live="polite"]')).not.toContainText('Planning');
});
