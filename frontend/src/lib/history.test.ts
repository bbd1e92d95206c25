import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { api } from '../dev/samples';
import type { API } from './api';
import { History, SEARCH_AFTER_MS } from './history.svelte';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('is searched once the typing rests, and narrowed at once', async () => {
  const Runs = vi.fn<API['Runs']>(async ({ from }) => ({ total: 0, from, runs: [] }));
  const history = new History({ api: api({ Runs }), on: () => {}, title: () => {}, usable: () => {}, upload: null, picture: (p) => p });
  history.search('al');
  history.search('alan ');
  await vi.advanceTimersByTimeAsync(SEARCH_AFTER_MS);
  history.only('failed');
  history.all();
  await vi.runAllTimersAsync();
  expect(Runs.mock.calls.map(([ask]) => [ask.query, ask.status])).toEqual([['alan', ''], ['alan', 'failed'], ['', '']]);
  expect(history.whole).toBe(true);
});
