// No screen has what axe finds fault with, in any theme. The system's wish for
// dark or for more contrast stands for the themes of the configuration, which set
// the same attributes.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

import { expect } from './window.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const themes = {
  light: { colorScheme: 'light', contrast: 'no-preference' },
  dark: { colorScheme: 'dark', contrast: 'no-preference' },
  contrast: { colorScheme: 'light', contrast: 'more' },
  'dark, contrast': { colorScheme: 'dark', contrast: 'more' },
} as const;

async function faults(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run());
  return violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.target.join(' ')}: ${n.failureSummary ?? v.help}`));
}

/** Holds that axe finds nothing on the screen as it is, in each theme. */
export async function sound(page: Page, screen: string): Promise<void> {
  await page.evaluate(axe); // not a script of the page: its content security policy has none
  for (const [name, theme] of Object.entries(themes)) {
    await page.emulateMedia(theme);
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme.colorScheme);
    expect.soft(await faults(page), `${screen}, ${name}`).toEqual([]);
  }
}
