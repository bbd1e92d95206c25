import { defineConfig } from '@playwright/test';

// The system's own Chromium: nothing is downloaded, and it is the browser that
// Errand works with. Where it is missing the tests fail.
const browser = process.env['ERRAND_TEST_BROWSER'] ?? '/usr/bin/chromium';

// A loaded machine is slow, and no test is about time unless it says so.
const patience = Number(process.env['ERRAND_TEST_PATIENCE'] ?? 60_000);

export default defineConfig({
  outputDir: 'results',
  workers: 1,
  forbidOnly: process.env['CI'] === 'true',
  timeout: 2 * patience,
  expect: { timeout: patience },
  reporter: [['list']],
  use: {
    launchOptions: { executablePath: browser },
    actionTimeout: patience,
    navigationTimeout: patience,
    viewport: { width: 1100, height: 760 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    colorScheme: 'light',
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'tests', testDir: 'tests' },
    { name: 'screens', testDir: 'screens' },
  ],
});
