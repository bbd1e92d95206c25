import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { API, Boot, Failure, Plan, Run, RunEvent, Step } from './api';
import type { Program } from './bridge';
import { MAX_GOAL, READ_AFTER_MS, Session } from './session.svelte';

const step = (over: Partial<Step> = {}): Step => ({
  id: 'a1', tool: 'system.query', does: 'Tell the time', why: '', args: [], host: '', needs: [], risk: 'LOW',
  read_only: true, verdict: 'allow', rule: '', because: '', would_allow: '', status: '', started_at: 0,
  duration_ms: 0, result: [], page: null, error: null, ...over,
});

const plan = (over: Partial<Plan> = {}): Plan => ({
  text: 'what time is it', language: 'en', gate: 'runs', status: 'success', summary: '', reason: '', proof: 'cuts',
  digest: 'd1', hosts: [], steps: [step()], questions: [], risks: [], unmet: [], ...over,
});

const run = (over: Partial<Run> = {}): Run => ({
  run_id: 'r1', seq: 1, text: 'what time is it', status: 'running', started_at: 0, duration_ms: 0, plan: plan(),
  answer: '', connections: { allowed: 0, stopped: 0, hosts: [] }, error: null, ...over,
});

const event = (over: Partial<RunEvent>): RunEvent => ({ run_id: 'r1', seq: 2, run: null, step: null, connections: null, ...over });

const failure: Failure = { class: 'execution_error', code: 'c', message: 'it broke', hint: '', retriable: false };

const boot: Boot = { version: '1', language: '', theme: 'system', demo: false, faults: [], active: '', examples: { en: [], ru: [] } };

/** A program whose answers a test sets, and whose events it sends. */
function fake(answers: Partial<API>) {
  const calls: string[] = [];
  const heard: { [event: string]: (data: never) => void } = {};
  const usual: API = {
    Start: async () => boot,
    Read: async (text) => ({ text, status: 'ok', does: ['Tell the time'], hosts: [], reason: '', questions: [] }),
    Plan: async () => plan(),
    Run: async () => run(),
    Get: async () => run(),
    Recent: async () => [],
    Stop: async () => {},
    Close: async () => {},
  };
  const api = Object.fromEntries(
    Object.entries({ ...usual, ...answers }).map(([name, answer]) => [
      name,
      (...args: never[]) => {
        calls.push([name, ...args].join(' '));
        return (answer as (...args: never[]) => unknown)(...args);
      },
    ]),
  ) as unknown as API;
  const program: Program = { api, on: (name, hear) => void (heard[name] = hear), title: () => {} };
  return { session: new Session(program), calls, send: (e: RunEvent) => heard['run']!(e as never), ask: () => heard['close_asked']!(undefined as never) };
}

/** A promise and how to settle it. */
function later<T>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((r) => (resolve = r));
  return { promise, resolve };
}

describe('typing', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('reads the words once the typing rests', async () => {
    const { session, calls } = fake({});
    session.type('what');
    session.type('what time');
    await vi.advanceTimersByTimeAsync(READ_AFTER_MS);
    expect(calls).toEqual(['Read what time']);
    expect(session.reading?.does).toEqual(['Tell the time']);
  });

  it('drops an answer to words that have changed', async () => {
    const slow = later<void>();
    const { session } = fake({
      Read: async (text) => {
        if (text === 'old') await slow.promise;
        return { text, status: 'ok', does: [text], hosts: [], reason: '', questions: [] };
      },
    });
    session.type('old');
    await vi.advanceTimersByTimeAsync(READ_AFTER_MS);
    session.type('new');
    await vi.advanceTimersByTimeAsync(READ_AFTER_MS);
    slow.resolve();
    await vi.runAllTimersAsync();
    expect(session.reading?.does).toEqual(['new']);
  });

  it.each(['', '   ', 'x'.repeat(MAX_GOAL + 1)])('does not read what is no goal', async (text) => {
    const { session, calls } = fake({});
    session.type(text);
    await vi.advanceTimersByTimeAsync(READ_AFTER_MS);
    await session.submit();
    expect(calls).toEqual([]);
    expect(session.reading).toBeNull();
  });
});

describe('a goal', () => {
  it('runs at once where policy lets it', async () => {
    const { session, calls } = fake({});
    await session.submit('what time is it');
    expect(calls).toEqual(['Plan what time is it', 'Run what time is it ']);
    expect(session.screen).toBe('run');
    expect(session.active).toBe(true);
  });

  it.each(['asks', 'refused', 'question', 'done', 'none'] as const)('stops at a plan whose gate is %s', async (gate) => {
    const { session, calls } = fake({ Plan: async () => plan({ gate }) });
    await session.submit('x');
    expect(calls).toEqual(['Plan x']);
    expect(session.screen).toBe('plan');
  });

  it('runs after an approval, which names the plan that was shown', async () => {
    const { session, calls } = fake({ Plan: async () => plan({ gate: 'asks', digest: 'shown' }) });
    await session.submit('what time is it');
    await session.approve();
    expect(calls.at(-1)).toBe('Run what time is it shown');
    expect(session.screen).toBe('run');
  });

  it.each(['refused', 'question', 'none'] as const)('cannot be approved where the gate is %s', async (gate) => {
    const { session, calls } = fake({ Plan: async () => plan({ gate }) });
    await session.submit('x');
    await session.approve();
    expect(calls).toEqual(['Plan x']);
  });

  it('is sent once, however often Enter is pressed', async () => {
    const slow = later<Plan>();
    const { session, calls } = fake({ Plan: () => slow.promise });
    const first = session.submit('x');
    await session.submit('x');
    slow.resolve(plan());
    await first;
    expect(calls.filter((c) => c.startsWith('Plan'))).toHaveLength(1);
  });

  it('shows what went wrong and keeps the words', async () => {
    const { session } = fake({ Plan: () => Promise.reject(failure) });
    await session.submit('x');
    expect(session.failure).toEqual(failure);
    expect(session.text).toBe('x');
    expect(session.screen).toBe('goal');
    expect(session.busy).toBe(false);
  });
});

describe('a run', () => {
  async function running(answers: Partial<API> = {}) {
    const f = fake(answers);
    await f.session.submit('what time is it');
    return f;
  }

  it('follows its steps and connections', async () => {
    const { session, send } = await running();
    send(event({ seq: 2, step: step({ status: 'running' }) }));
    send(event({ seq: 3, connections: { allowed: 2, stopped: 1, hosts: [] } }));
    expect(session.run?.plan.steps[0]?.status).toBe('running');
    expect(session.run?.connections.allowed).toBe(2);
    expect(session.run?.seq).toBe(3);
  });

  it('asks for the whole after a gap', async () => {
    const { session, send, calls } = await running({ Get: async () => run({ seq: 5, answer: 'whole' }) });
    send(event({ seq: 4, step: step({ status: 'done' }) }));
    await vi.waitFor(() => expect(session.run?.answer).toBe('whole'));
    expect(calls).toContain('Get r1');
    expect(session.run?.seq).toBe(5);
  });

  it('ignores what is old, and what belongs to another run', async () => {
    const { session, send } = await running();
    send(event({ seq: 1, step: step({ status: 'old' }) }));
    send(event({ run_id: 'r2', seq: 2, step: step({ status: 'other' }) }));
    expect(session.run?.plan.steps[0]?.status).toBe('');
  });

  it('may be told of before the call that began it answers', async () => {
    const slow = later<Run>();
    const { session, send } = fake({ Run: () => slow.promise });
    const submitted = session.submit('what time is it');
    await vi.waitFor(() => expect(session.plan).not.toBeNull());
    send(event({ seq: 1, run: run() }));
    send(event({ seq: 2, run: run({ seq: 2, status: 'done', answer: '12:00' }) }));
    slow.resolve(run()); // older than what the events said
    await submitted;
    expect(session.run?.answer).toBe('12:00');
    expect(session.active).toBe(false);
  });

  it('stops when asked, and can be left only when it has ended', async () => {
    const { session, send, calls } = await running();
    await session.stop();
    session.back();
    expect(calls).toContain('Stop');
    expect([session.screen, session.stopping]).toEqual(['run', true]);
    send(event({ run: run({ seq: 2, status: 'interrupted' }) }));
    session.back();
    expect([session.screen, session.stopping]).toEqual(['goal', false]);
    expect(session.text).toBe('what time is it');
  });

  it('keeps the window open until the person has agreed to end it', async () => {
    const { session, ask, calls } = await running();
    ask();
    expect(session.closing).toBe(true);
    await session.close(true);
    expect(calls.at(-1)).toBe('Close true');
    expect(session.closing).toBe(false);
  });
});

it('finds its run again after the page was loaded anew', async () => {
  const { session } = fake({ Start: async () => ({ ...boot, active: 'r1' }) });
  await session.start();
  expect([session.screen, session.active, session.text]).toEqual(['run', true, 'what time is it']);
});

it('shows a run of another program without a way to stop it', async () => {
  const { session, calls } = fake({});
  await session.open('r1');
  expect([session.screen, session.active]).toEqual(['run', false]);
  await session.stop();
  expect(calls).not.toContain('Stop');
  session.back();
  expect(session.screen).toBe('goal');
});

it('starts with what ran lately, and in safe mode without', async () => {
  const usual = fake({});
  await usual.session.start();
  expect(usual.calls).toEqual(['Start', 'Recent 5']);
  const safe = fake({ Start: async () => ({ ...boot, faults: [{ source: 'errand.toml', line: 3, key: 'k', message: 'm' }] }) });
  await safe.session.start();
  expect(safe.calls).toEqual(['Start']);
});
