import { expect, test } from 'vitest';

import type { ServerReview } from './api';
import type { Program } from './bridge';
import { Servers } from './servers.svelte';

const review: ServerReview = { token: 't1', name: 'notes', first: true, same: false, access: [], tools: [] };

test('agrees to the shown review and puts it away', async () => {
  const asked: unknown[] = [];
  const servers = new Servers({
    api: { Servers: async () => [], ReviewServer: async (name: string) => ({ ...review, name }), AgreeServer: async (ask: unknown) => void asked.push(ask), WithdrawServer: async () => {} },
  } as unknown as Program);
  await servers.agree(['notes.list']);
  expect(asked).toEqual([]);
  await servers.look('notes');
  expect(servers.review.value?.name).toBe('notes');
  await servers.agree(['notes.list']);
  expect(asked).toEqual([{ token: 't1', reading: ['notes.list'] }]);
  expect(servers.review.value).toBeNull();
});

test('keeps a review that was not accepted', async () => {
  const servers = new Servers({
    api: { Servers: async () => [], ReviewServer: async () => review, AgreeServer: async () => Promise.reject({ code: 'no_proposal' }) },
  } as unknown as Program);
  await servers.look('notes');
  await servers.agree([]);
  expect(servers.review.value?.token).toBe('t1');
  expect(servers.deed.failure).not.toBeNull();
});
