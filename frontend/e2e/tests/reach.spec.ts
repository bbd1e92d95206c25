import { test } from '@playwright/test';

import { expect, go, open, serve } from '../window.ts';

// The browser itself logs each call that is refused or fails here, so these pages may complain.

const program = serve();

test('a page without a session says what to open, and leads nowhere', async ({ page }) => {
  await page.goto(new URL('/', program.url).href);
  await expect(page.getByText('This page is closed.')).toBeVisible();
  await expect(page.getByText('Open the address that “errand serve” printed.')).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);
});

test('a program that does not answer is told in the window’s own words, and once', async ({ page }) => {
  await open(page, program.url);
  await page.context().setOffline(true);
  await go(page, '/runs');
  await expect(page.getByText('Errand didn’t answer.', { exact: true })).toBeVisible();
  await expect(page.getByText('Errand doesn’t answer. The page tries again by itself.')).toBeVisible();
  await expect(page.locator('body')).not.toContainText(/fetch|network/i);
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Errand didn’t answer.', { exact: true })).toHaveCount(0);
});
