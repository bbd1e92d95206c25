import { expect, it } from 'vitest';

import css from './tokens.css?raw';

/** The colours of the block whose selector list ends in `selector`. */
function colours(selector: string): Record<string, string> {
  const at = css.indexOf(`${selector} {`);
  expect(at, selector).toBeGreaterThanOrEqual(0);
  const block = css.slice(at, css.indexOf('}', at));
  return Object.fromEntries([...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map((m) => [m[1]!, m[2]!]));
}

/** Relative luminance and contrast ratio of WCAG 2.2. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((i) => {
    const c = parseInt(hex.slice(i, i + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: string, b: string): number {
  const [dark, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (bright! + 0.05) / (dark! + 0.05);
}

const light = colours(":root[data-theme='light']");
const dark = colours(":root[data-theme='dark']");
const lightMore = { ...light, ...colours(":root[data-contrast='more']") };
const themes = {
  light,
  dark,
  'light, more contrast': lightMore,
  'dark, more contrast': { ...dark, ...lightMore, ...colours(":root[data-theme='dark'][data-contrast='more']") },
};

const least = Object.entries(themes).flatMap(([name, theme]) => {
  const more = name.includes('more');
  return ['paper', 'raised', 'ground', 'hover'].flatMap((ground) => [
    ...['ink', 'quiet', 'accent', 'allow', 'ask', 'deny'].map((c) => [name, c, ground, more ? 7 : 4.5, theme] as const),
    [name, 'edge', ground, 3, theme] as const,
  ]).concat([[name, 'on-accent', 'accent', 4.5, theme] as const]);
});

it.each(least)('%s: %s on %s has a contrast of at least %d', (_, colour, ground, want, theme) => {
  expect(contrast(theme[colour]!, theme[ground]!)).toBeGreaterThanOrEqual(want);
});
