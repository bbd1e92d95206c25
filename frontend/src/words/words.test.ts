import { describe, expect, it } from 'vitest';

import { ago, elapsed, left, length } from './time';
import { en, known, languages, speak, words, wordsOf } from './words.svelte';

const files = import.meta.glob<Record<string, string>>('../../../app/i18n/*.toml', { eager: true, import: 'default' });
const tags = Object.keys(languages);
const file = (tag: string) => files[`../../../app/i18n/${tag}.toml`]!;
const codes = (tag: string) => Object.keys(file(tag)).filter((code) => code.startsWith('window.'));

/** What is not in the language: addresses, examples and names. */
const bare = /_hint$|\.version$|\.run\.ended$|\.examples$/;

describe.each(tags)('the texts in %s', (tag) => {
  it('are those of English', () => {
    expect(codes(tag)).toEqual(codes('en'));
  });

  it.each(codes(tag))('%s says something, calmly', (code) => {
    const text = file(tag)[code]!;
    if (!bare.test(code)) expect(text.trim()).not.toBe('');
    expect(text).not.toMatch(/!|please|oops|failed to|пожалуйста/i);
  });
});

it.each(codes('ru').filter((code) => !bare.test(code)))('%s is in Russian', (code) => {
  expect(file('ru')[code]).toMatch(/[а-яё]/i);
});

it('every plugin that Errand brings is described', () => {
  const manifests = Object.keys(import.meta.glob('../../../plugins/*/plugin.toml', { query: '?url' }));
  expect(manifests).not.toEqual([]);
  for (const path of manifests) expect(codes('ru')).toContain(`window.bundled_plugin.${path.split('/').at(-2)}`);
});

it('a text that a language lacks is in English', () => {
  expect(wordsOf('ru', {}).status.done).toBe('Done');
  expect(wordsOf('ru', { 'window.status.done': 'Готово' }).status.done).toBe('Готово');
});

it('a text with parameters is a function', () => {
  expect(wordsOf('ru', file('ru')).plan.run_steps({ count: 22 })).toBe('Выполнить 22 шага');
  expect(en.plan.run_steps({ count: 10_000 })).toBe('Run 10,000 steps');
});

it('languages have their own names', () => {
  expect(languages).toMatchObject({ en: 'English', ru: 'Русский' });
});

it.each([
  [['ru'], 'ru'], [['ru-RU', 'en'], 'ru'], [['xx', 'ru'], 'ru'], [['xx'], 'en'], [[], 'en'],
])('on a system of %j the language is %s', async (system, want) => {
  expect(known(system)).toBe(want);
  await speak(system);
  expect(words.t.tag).toBe(want);
});

it('the language that was asked for last is spoken', async () => {
  await Promise.all([speak(['ru']), speak(['en'])]);
  expect(words.t.tag).toBe('en');
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
