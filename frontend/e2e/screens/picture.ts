// Pictures of the window for the documents: each in light and in dark.

import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, type Page } from '@playwright/test';

const folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'screens');
const SIZE = { width: 1000, height: 680 };
const MOST_BYTES = 100 * 1000;

export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.setViewportSize(SIZE);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const path = join(folder, `${name}-${colorScheme}.png`);
    await page.screenshot({ path, caret: 'hide', animations: 'disabled' });
    expect.soft(statSync(path).size, path).toBeLessThan(MOST_BYTES);
  }
}
