import { expect, it } from 'vitest';

import { deedOf, hint, KEYS } from './keys';

const key = (over: Partial<KeyboardEvent>) => ({ key: '', code: '', ctrlKey: false, metaKey: false, altKey: false, isComposing: false, ...over }) as KeyboardEvent;

it.each([
  ['Enter alone', { key: 'Enter' }, undefined],
  ['Ctrl+Enter', { key: 'Enter', ctrlKey: true }, 'approve'],
  ['Command+Enter', { key: 'Enter', metaKey: true }, 'approve'],
  ['Ctrl+.', { key: '.', code: 'Period', ctrlKey: true }, 'stop'],
  ['Ctrl+K on a Russian layout', { key: 'л', code: 'KeyK', ctrlKey: true }, 'palette'],
  ['Ctrl+Alt+K, which writes a letter', { code: 'KeyK', ctrlKey: true, altKey: true }, undefined],
  ['Escape', { key: 'Escape' }, 'back'],
  ['Escape that ends a composition', { key: 'Escape', isComposing: true }, undefined],
  ['?', { key: '?' }, 'keys'],
  ['J', { key: 'j', code: 'KeyJ' }, 'next'],
  ['K on a Russian layout', { key: 'л', code: 'KeyK' }, 'previous'],
  ['Ctrl+0', { code: 'Digit0', ctrlKey: true }, 'usual'],
] as const)('%s', (_, event, want) => {
  expect(deedOf(key(event), false)).toBe(want);
});

it.each(['?', 'j'])('%s is a letter where something is typed', (letter) => {
  expect(deedOf(key({ key: letter, code: letter === 'j' ? 'KeyJ' : '' }), true)).toBeUndefined();
});

it('has something to press for every deed', () => {
  for (const [deed, keys] of Object.entries(KEYS)) expect(keys.flat().length, deed).toBeGreaterThan(0);
  expect(hint('approve')).toMatch(/ ↵$/);
});
