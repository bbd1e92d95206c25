import { expect, it } from 'vitest';

import { Missed } from './missed.svelte';

it('keeps the newest that happened while nobody looked, until somebody does', () => {
  const missed = new Missed();
  missed.tell('Done: seen');
  expect(missed.text).toBe('');
  missed.look(false);
  expect(missed.text).toBe('');
  missed.tell('Done: first');
  missed.tell('Done: second');
  missed.look(false);
  expect(missed.text).toBe('Done: second');
  missed.look(true);
  expect(missed.text).toBe('');
  missed.tell('Done: third');
  expect(missed.text).toBe('');
});
