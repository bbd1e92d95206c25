// No screen needs to be moved sideways, however narrow the window and large the
// text (WCAG 2.2, 1.4.10), and nothing lies over what has the focus (2.4.11).

import type { Page } from '@playwright/test';

import { expect } from './window.ts';

const widths = [320, 480, 1280];
const scales = [100, 200]; // of the text, in percent

/** What stands beyond the window's edge, or over what has the focus. It runs in the page. */
function faults(): string[] {
  const found: string[] = [];
  const named = (e: Element) => `${e.tagName.toLowerCase()}.${e.className} “${(e.textContent ?? '').trim().slice(0, 40)}”`;
  // What a part cuts off, or moves by itself, is its own affair: a long name, a line of a file.
  const kept = (e: Element): boolean => !e.matches('main, dialog, body') && (getComputedStyle(e).overflowX !== 'visible' || (e.parentElement !== null && kept(e.parentElement)));
  const front = document.querySelector('dialog[open]') ?? document.body;
  for (const e of front.querySelectorAll('*')) {
    const box = e.getBoundingClientRect();
    const seen = box.width > 1 && box.height > 1 && e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (seen && !e.closest('svg, .spoken') && (box.right > innerWidth + 1 || box.left < -1) && !kept(e)) found.push(`beyond the edge, ${box.left} to ${box.right}: ${named(e)}`);
  }
  const focus = document.activeElement;
  if (focus && focus !== document.body && focus.tagName !== 'MAIN') {
    focus.scrollIntoView({ block: 'nearest' });
    const box = focus.getBoundingClientRect();
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
    const there = document.elementFromPoint(box.left + Math.min(box.width / 2, 20), (top + bottom) / 2);
    if (!there || !(focus.contains(there) || there.contains(focus))) found.push(`over the focus, ${named(focus)}: ${there ? named(there) : 'nothing'}`);
  }
  return found.slice(0, 8);
}

/** Holds that the screen as it is fits each width with each size of text. */
export async function reflows(page: Page, screen: string): Promise<void> {
  const size = page.viewportSize()!;
  for (const width of widths) {
    for (const scale of scales) {
      await page.setViewportSize({ width, height: 720 });
      await page.evaluate((percent) => (document.documentElement.style.fontSize = `${percent}%`), scale);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      expect.soft(await page.evaluate(faults), `${screen}, ${width} px, text at ${scale} %`).toEqual([]);
    }
  }
  await page.evaluate(() => (document.documentElement.style.fontSize = ''));
  await page.setViewportSize(size);
}
