import { expect, it } from 'vitest';

import type { Setting } from './api';
import { grouped, lines, whole } from './settings';

const setting = (key: string): Setting => ({
  key, kind: 'text', text: '', flag: false, number: 0, list: [], choices: [], default: true, source: 'default', locked: false,
});

it('groups settings by their table, those first that people look for', () => {
  const keys = ['store.days', 'zoo.a', 'ui.theme', 'agent.internal.enabled', 'ui.language', 'axe.b'];
  expect(grouped(keys.map(setting)).map(([group, entries]) => [group, entries.map((e) => e.key)])).toEqual([
    ['ui', ['ui.theme', 'ui.language']],
    ['store', ['store.days']],
    ['agent', ['agent.internal.enabled']],
    ['axe', ['axe.b']],
    ['zoo', ['zoo.a']],
  ]);
});

it.each([
  ['', []], ['\n \n', []], [' a \n\nb', ['a', 'b']],
])('reads the lines of %j', (text, want) => {
  expect(lines(text)).toEqual(want);
});

it.each([
  ['0', 0], [' 12 ', 12], ['-3', -3], ['', null], ['ten', null], ['1.5', null], ['1e3', null], ['0x10', null], ['1 000', null], ['9'.repeat(16), null],
])('reads the number %j', (text, want) => {
  expect(whole(text)).toBe(want);
});
