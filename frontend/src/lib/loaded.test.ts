import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { Loaded, SLOW_AFTER_MS } from './loaded.svelte';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const after = <T>(ms: number, value: T) => new Promise<T>((resolve) => setTimeout(() => resolve(value), ms));

it('says that it waits only where it is slow', async () => {
  const quick = new Loaded(() => after(SLOW_AFTER_MS - 1, 'here'));
  void quick.load();
  await vi.advanceTimersByTimeAsync(SLOW_AFTER_MS - 1);
  expect([quick.value, quick.slow, quick.busy]).toEqual(['here', false, false]);

  const slow = new Loaded(() => after(SLOW_AFTER_MS + 1, 'there'));
  void slow.load();
  await vi.advanceTimersByTimeAsync(SLOW_AFTER_MS);
  expect([slow.value, slow.slow]).toEqual([null, true]);
  await vi.advanceTimersByTimeAsync(1);
  expect([slow.value, slow.slow]).toEqual(['there', false]);
});

it('keeps the old answer beside a failure, and the newest of two', async () => {
  const loaded = new Loaded(async () => 'old');
  await loaded.load();
  expect(await loaded.take(() => Promise.reject({ message: 'no' }))).toBe(false);
  expect([loaded.value, loaded.failure?.message]).toEqual(['old', 'no']);
  const late = loaded.take(() => after(20, 'late'));
  const newest = loaded.take(() => after(10, 'newest'));
  await vi.advanceTimersByTimeAsync(20);
  await Promise.all([late, newest]);
  expect([loaded.value, loaded.failure]).toEqual(['newest', null]);
});
