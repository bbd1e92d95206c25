import { describe, expect, it, vi } from 'vitest';

import { caller, takeToken } from './http';

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
});

describe('a call', () => {
  const answer = (status: number, body: unknown) => vi.fn(async () => new Response(JSON.stringify(body), { status }));

  it('is one POST with the arguments as a list', async () => {
    const send = answer(200, { result: { text: 'x' } });
    const api = caller(() => {}, send);
    expect(await api.Read('x')).toEqual({ text: 'x' });
    expect(send).toHaveBeenCalledWith('/api/Read', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '["x"]',
    });
  });

  it('is rejected with the failure that the program names', async () => {
    const failure = { class: 'policy_denied', code: 'run_active', message: 'm', hint: 'h', retriable: false };
    await expect(caller(() => {}, answer(409, { error: failure })).Stop()).rejects.toEqual(failure);
  });

  it('tells where there is no session, and where nobody answers', async () => {
    const reach = vi.fn();
    const failure = { class: 'policy_denied', code: 'no_session', message: 'm', hint: '', retriable: false };
    await expect(caller(reach, answer(401, { error: failure })).Start()).rejects.toEqual(failure);
    const silent = caller(reach, vi.fn(() => Promise.reject(new TypeError('Failed to fetch'))));
    await expect(silent.Start()).rejects.toMatchObject({ code: 'away', retriable: true });
    expect(reach.mock.calls.flat()).toEqual(['locked', 'away']);
  });
});
