import { describe, expect, it, vi } from 'vitest';

import { failure } from '../dev/samples';
import { en } from '../words/en';
import { ru } from '../words/ru';
import { failed, speak } from '../words/words.svelte';
import type { Failure } from './api';
import { caller, keysFor, sent, takeToken } from './http';

const answer = (status: number, body: unknown) => vi.fn(async () => new Response(JSON.stringify(body), { status }));

describe('the token of the address', () => {
  it.each([
    ['#token=abc-_9', 'abc-_9', ['#/']],
    ['#/runs', '', []],
    ['', '', []],
    ['#token=', '', []],
    ['#token=a&b', '', []],
  ] as const)('of %j is %j', (hash, want, replaced) => {
    const replace = vi.fn();
    expect(takeToken({ hash }, replace)).toBe(want);
    expect(replace.mock.calls.flat()).toEqual(replaced);
  });

  const storage = (kept: string | null = null) => ({ kept, getItem() { return this.kept; }, setItem(_: string, value: string) { this.kept = value; } });

  it('is traded for keys, which outlast the page', async () => {
    const place = storage();
    const send = answer(200, { call: 'c', view: 'v' });
    expect(await keysFor('abc', place, send)).toEqual({ call: 'c', view: 'v' });
    expect(send).toHaveBeenCalledWith('/api/session', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"token":"abc"}' });
    expect(await keysFor('', place, send)).toEqual({ call: 'c', view: 'v' });
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('of another server is worth nothing, and so is none', async () => {
    expect(await keysFor('old', storage(), answer(401, { error: failure() }))).toBeNull();
    expect(await keysFor('', storage(), answer(200, {}))).toBeNull();
  });
});

describe('a call', () => {
  it('is one POST with the arguments as a list', async () => {
    const send = answer(200, { result: { text: 'x' } });
    expect(await caller({ call: 'c', view: 'v' }, () => {}, send).Read('x')).toEqual({ text: 'x' });
    expect(send).toHaveBeenCalledWith('/api/Read', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer c' },
      body: '["x"]',
    });
  });

  it('is rejected with the failure that the program names', async () => {
    const no = failure({ class: 'policy_denied', code: 'run_active' });
    await expect(caller(null, () => {}, answer(409, { error: no })).Stop()).rejects.toEqual(no);
  });

  it('tells where there is no session, and where nobody answers', async () => {
    const reach = vi.fn();
    const no = failure({ code: 'no_session' });
    await expect(caller(null, reach, answer(401, { error: no })).Start()).rejects.toEqual(no);
    const silent = caller(null, reach, vi.fn(() => Promise.reject(new TypeError('Failed to fetch'))));
    await expect(silent.Start()).rejects.toMatchObject({ code: 'away', retriable: true });
    expect(reach.mock.calls.flat()).toEqual(['locked', 'away']);
  });

  it.each([
    ['nobody answers', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['the answer breaks off', () => Promise.resolve(new Response('{"resu'))],
    ['something else answers', () => Promise.resolve(new Response('<html>Bad Gateway', { status: 502 }))],
  ])('has the window’s own words where %s, and none of the browser’s', async (_, send) => {
    for (const asks of [() => caller(null, () => {}, vi.fn(send)).Start(), () => sent(null, new File([''], 'x.wasm'), vi.fn(send))]) {
      const failure = (await asks().catch((reason: unknown) => reason)) as Failure;
      expect(failure).toEqual({ class: 'tool_unavailable', code: 'away', message: '', hint: '', retriable: true });
      for (const [tag, t] of [['en', en], ['ru', ru]] as const) {
        await speak(tag, []);
        expect(failed(failure)).toEqual({ what: t.failure.away, why: t.why.away });
      }
    }
  });
});
