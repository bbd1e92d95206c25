import { describe, expect, it } from 'vitest';

import { en } from './en';
import { ru } from './ru';
import { ago, elapsed, length } from './time';
import { speak, words } from './words.svelte';

/** Every text of a catalogue by its path; functions are called with plausible arguments. */
function texts(node: unknown, path: string): [string, string][] {
  if (typeof node === 'string') return [[path, node]];
  if (typeof node === 'function') {
    const wantsHosts = /opens|after/.test(path);
    return [[path, String((node as (arg: unknown) => string)(wantsHosts ? ['x.example'] : 3))]];
  }
  return Object.entries(node as object).flatMap(([key, value]) => texts(value, `${path}.${key}`));
}

describe('the catalogues', () => {
  it('have the same keys', () => {
    expect(texts(ru, '').map(([path]) => path)).toEqual(texts(en, '').map(([path]) => path));
  });

  it.each([...texts(en, 'en'), ...texts(ru, 'ru')])('%s says something, calmly', (_, text) => {
    expect(text.trim()).not.toBe('');
    expect(text).not.toMatch(/!|please|oops|failed to|пожалуйста/i);
  });

  it.each(texts(ru, 'ru').filter(([path]) => path !== 'ru.tag'))('%s is in Russian', (_, text) => {
    expect(text).toMatch(/[а-яё]/i);
  });
});

it.each([
  [1, '1 шаг'], [2, '2 шага'], [5, '5 шагов'], [11, '11 шагов'], [21, '21 шаг'], [22, '22 шага'],
])('counts %i in Russian', (n, want) => {
  expect(ru.reading.steps(n)).toBe(want);
});

it.each([
  ['ru', ['en'], 'ru'], ['', ['ru-RU', 'en'], 'ru'], ['', ['de', 'ru'], 'ru'], ['', ['de'], 'en'], ['', [], 'en'],
])('speaks %j on a system of %j', (configured, system, want) => {
  speak(configured, system);
  expect(words.t.tag).toBe(want);
});

it.each([
  [0, '0:00'], [3999, '0:03'], [65_000, '1:05'], [3_600_000, '60:00'], [-5, '0:00'],
])('elapsed %i ms', (ms, want) => {
  expect(elapsed(ms)).toBe(want);
});

it.each([
  [0, '0 ms'], [999, '999 ms'], [1440, '1.4 s'], [125_000, '2:05'],
])('length of %i ms', (ms, want) => {
  expect(length(ms)).toBe(want);
});

it.each([
  ['2026-11-27T14:02:10', 'just now'],
  ['2026-11-27T13:57:30', '5 min ago'],
  ['2026-11-27T09:00:00', 'today 09:00'],
  ['2026-11-26T23:59:00', 'yesterday 23:59'],
  ['2026-03-05T10:00:00', 'Mar 5'],
  ['2025-11-27T14:02:30', 'Nov 27, 2025'],
])('says when %s was', (then, want) => {
  const now = new Date('2026-11-27T14:02:30').getTime();
  expect(ago(new Date(then).getTime(), now, en)).toBe(want);
});
