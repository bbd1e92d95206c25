import { expect, it } from 'vitest';

import { leftHere, leftIn } from './left';

it('outlasts the page', () => {
  const kept = new Map<string, string>();
  const storage = () => ({ getItem: (k: string) => kept.get(k) ?? null, setItem: (k: string, v: string) => void kept.set(k, v) });
  expect(leftIn(storage).get()).toBe('');
  leftIn(storage).set('k1');
  expect(leftIn(storage).get()).toBe('k1');
});

it('is nothing where there is no storage', () => {
  const none = leftIn(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  none.set('k1');
  expect(none.get()).toBe('');
});

it('is forgotten with the page elsewhere', () => {
  const left = leftHere();
  left.set('k1');
  expect([left.get(), leftHere().get()]).toEqual(['k1', '']);
});
