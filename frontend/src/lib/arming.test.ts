import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { ARM_AFTER_MS, Arming } from './arming.svelte';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('arms after a while, and anew when the window gets the focus', () => {
  const target = new EventTarget();
  const arming = new Arming();
  const end = arming.watch(target);
  vi.advanceTimersByTime(ARM_AFTER_MS - 1);
  expect(arming.armed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(arming.armed).toBe(true);
  target.dispatchEvent(new Event('focus'));
  expect(arming.armed).toBe(false);
  vi.advanceTimersByTime(ARM_AFTER_MS);
  expect(arming.armed).toBe(true);
  end();
});

it('arms nothing that is gone', () => {
  const arming = new Arming();
  arming.watch(new EventTarget())();
  vi.advanceTimersByTime(ARM_AFTER_MS);
  expect(arming.armed).toBe(false);
});
