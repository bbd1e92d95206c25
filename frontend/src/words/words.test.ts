import { describe, expect, it } from 'vitest';

import { en } from './en';
import { ru } from './ru';
import { ago, elapsed, left, length, size } from './time';
import { speak, words } from './words.svelte';

/** Every text of a catalogue by its path; functions are called with plausible arguments. */
function texts(node: unknown, path: string): [string, string][] {
  if (typeof node === 'string') return [[path, node]];
  if (typeof node === 'function') {
    const list = /opens|after|unmet/.test(path) ? ['x.example'] : 3;
    return [[path, String((node as (...args: unknown[]) => string)(list, 4, 5))]];
  }
  return Object.entries(node as object).flatMap(([key, value]) => texts(value, `${path}.${key}`));
}

/** What is no sentence of a language: names of languages, examples, and hints that are empty on purpose. */
const bare = /\.tag$|\.languages\.|(source|try|add)Hint$|\.version$|\.keys\.[a-z_.]+\.1$|\.run\.ended$/;

describe('the catalogues', () => {
  it('have the same keys', () => {
    expect(texts(ru, '').map(([path]) => path)).toEqual(texts(en, '').map(([path]) => path));
  });

  it.each([...texts(en, 'en'), ...texts(ru, 'ru')])('%s says something, calmly', (path, text) => {
    if (!bare.test(path)) expect(text.trim()).not.toBe('');
    expect(text).not.toMatch(/!|please|oops|failed to|пожалуйста/i);
  });

  it.each(texts(ru, 'ru').filter(([path, text]) => !bare.test(path) && text !== ''))('%s is in Russian', (_, text) => {
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
  void speak(configured, system);
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
  expect(length(ms, en)).toBe(want);
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

it.each([
  [0, ''], [-5, ''], [1, '1 s left'], [59_001, '1 min left'], [59_000, '59 s left'], [600_000, '10 min left'],
])('says how long %i ms hold', (ms, want) => {
  expect(left(1000 + ms, 1000, en)).toBe(want);
});

it.each([
  [0, '0 B'], [1023, '1,023 B'], [1024, '1.0 KiB'], [5_452_595, '5.2 MiB'],
])('%i bytes are %s', (bytes, want) => {
  expect(size(bytes, en)).toBe(want);
});
