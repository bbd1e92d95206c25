import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { failure } from '../dev/samples';
import { failed, speak, words } from '../words/words.svelte';
import type { Failure } from './api';
import { AGAIN_MS, caller, keysFor, sent, served, tokenIn, type Keys } from './http';

const keys = () => Promise.resolve({ call: 'c', view: 'v' });
const none = () => Promise.resolve(null);

const answer = (status: number, body: unknown) => vi.fn(async () => new Response(JSON.stringify(body), { status }));

describe('the token of the address', () => {
  it.each([
    ['#token=abc-_9', 'abc-_9'],
    ['#/runs', ''],
    ['', ''],
    ['#token=', ''],
    ['#token=a&b', ''],
  ] as const)('of %j is %j', (fragment, want) => expect(tokenIn(fragment)).toBe(want));

  const storage = (kept: string | null = null) => {
    const place = { kept, getItem: () => place.kept, setItem: (_: string, value: string) => void (place.kept = value) };
    return () => place;
  };

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

  it.each(['', '{', 'null', '7', '"x"', '[]', '{}', '{"call":"c"}', '{"call":1,"view":"v"}'])('kept as %j is none', async (kept) => {
    expect(await keysFor('', storage(kept))).toBeNull();
  });

  it('needs no storage', async () => {
    const closed = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    expect(await keysFor('', closed)).toBeNull();
    expect(await keysFor('abc', closed, answer(200, { call: 'c', view: 'v' }))).toEqual({ call: 'c', view: 'v' });
  });

  it.each([
    ['nobody answers', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['the answer breaks off', () => Promise.resolve(new Response('{"call'))],
    ['something between them answers', () => Promise.resolve(new Response('{}', { status: 502 }))],
  ])('is not given up where %s', async (_, send) => {
    await expect(keysFor('abc', storage(), vi.fn(send))).rejects.toMatchObject({ code: 'away' });
  });
});

describe('a page that is there before the program', () => {
  class Stream extends EventTarget {
    static readonly CLOSED = 2;
    static all: Stream[] = [];
    onopen = () => {};
    constructor(readonly url: string) {
      super();
      Stream.all.push(this);
    }
  }

  beforeEach(() => {
    vi.useFakeTimers();
    Stream.all = [];
    vi.stubGlobal('EventSource', Stream);
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('asks until somebody answers, and is then as any other', async () => {
    vi.stubGlobal('fetch', answer(200, { result: 'here' }));
    const reach = vi.fn();
    const trade = vi.fn<() => Promise<Keys | null>>(() => Promise.reject(failure({ code: 'away' })));
    const program = served(trade, reach);
    const heard = vi.fn();
    program.on('close_asked', heard);
    await expect(program.api.Start([])).rejects.toMatchObject({ code: 'away' });
    await vi.advanceTimersByTimeAsync(2.5 * AGAIN_MS);
    expect(trade).toHaveBeenCalledTimes(3);
    expect(new Set(reach.mock.calls.flat())).toEqual(new Set(['away']));
    trade.mockResolvedValue({ call: 'c', view: 'v&' });
    await vi.advanceTimersByTimeAsync(AGAIN_MS);
    expect(Stream.all.map((s) => s.url)).toEqual(['/api/events?key=v%26']);
    Stream.all[0]!.onopen();
    Stream.all[0]!.dispatchEvent(new MessageEvent('close_asked', { data: '' }));
    expect(heard).toHaveBeenCalledTimes(1);
    expect(reach).toHaveBeenLastCalledWith('here');
    expect(await program.api.Start([])).toBe('here');
    expect(program.picture('/artifacts/x')).toBe('/artifacts/x?key=v%26');
    await vi.advanceTimersByTimeAsync(10 * AGAIN_MS);
    expect(trade).toHaveBeenCalledTimes(4);
  });

  it('without keys follows nothing', async () => {
    served(() => Promise.resolve(null), () => {});
    await vi.advanceTimersByTimeAsync(5 * AGAIN_MS);
    expect(Stream.all).toEqual([]);
  });
});

describe('a call', () => {
  it('is one POST with the arguments as a list', async () => {
    const send = answer(200, { result: { text: 'x' } });
    expect(await caller(keys, () => {}, send).Read('x')).toEqual({ text: 'x' });
    expect(send).toHaveBeenCalledWith('/api/Read', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer c' },
      body: '["x"]',
    });
  });

  it('is rejected with the failure that the program names', async () => {
    const no = failure({ class: 'policy_denied', code: 'run_active' });
    await expect(caller(none, () => {}, answer(409, { error: no })).Stop()).rejects.toEqual(no);
  });

  it('tells where there is no session, and where nobody answers', async () => {
    const reach = vi.fn();
    const no = failure({ code: 'no_session' });
    await expect(caller(none, reach, answer(401, { error: no })).Start([])).rejects.toEqual(no);
    const silent = caller(none, reach, vi.fn(() => Promise.reject(new TypeError('Failed to fetch'))));
    await expect(silent.Start([])).rejects.toMatchObject({ code: 'away', retriable: true });
    expect(reach.mock.calls.flat()).toEqual(['locked', 'away']);
  });

  it.each([
    ['nobody answers', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['the answer breaks off', () => Promise.resolve(new Response('{"resu'))],
    ['something else answers', () => Promise.resolve(new Response('<html>Bad Gateway', { status: 502 }))],
  ])('has the window’s own words where %s, and none of the browser’s', async (_, send) => {
    for (const asks of [() => caller(none, () => {}, vi.fn(send)).Start([]), () => sent(none, new File([''], 'x.wasm'), vi.fn(send))]) {
      const failure = (await asks().catch((reason: unknown) => reason)) as Failure;
      expect(failure).toEqual({ class: 'tool_unavailable', code: 'away', message: '', hint: '', retriable: true });
      for (const tag of ['ru', 'en']) {
        await speak([tag]);
        expect(words.t.tag).toBe(tag);
        expect(failed(failure)).toEqual({ what: words.t.failure.away, why: words.t.failure_reason.away });
      }
    }
  });
});
