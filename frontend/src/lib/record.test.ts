import { describe, expect, it, vi } from 'vitest';

import { api, event, plan, run, step } from '../dev/samples';
import type { Program } from './bridge';
import { RunRecord } from './record.svelte';

const many = (n: number, from = 0) => Array.from({ length: n }, (_, i) => step({ action_id: `a${from + i + 1}`, index: from + i }));

function record(answers: Parameters<typeof api>[0] = {}, first = run()) {
  const program: Program = { api: api(answers), on: () => {}, title: () => {}, usable: () => {}, upload: null, picture: (p) => p };
  return new RunRecord(program, first);
}

describe('a run', () => {
  it('follows its events', () => {
    const r = record();
    r.hear(event({ seq: 2, steps: [step({ status: 'running' })], counts: { total: 1, running: 1, done: 0, failed: 0, skipped: 0 } }));
    r.hear(event({ seq: 3, connections: { allowed: 2, stopped: 1, hosts: [] } }));
    expect([r.steps.items[0]?.status, r.run.counts.running, r.run.connections.allowed, r.run.seq]).toEqual(['running', 1, 2, 3]);
  });

  it('shows that a page waits for a person, until it no longer does', () => {
    const r = record();
    const waits = { kind: 'captcha', url: 'https://example.org/', until: 300_000 };
    r.hear(event({ seq: 2, run: run({ seq: 2, waits }) }));
    expect(r.run.waits).toEqual(waits);
    r.hear(event({ seq: 3, steps: [step({ status: 'running' })] }));
    expect(r.run.waits).toEqual(waits);
    r.hear(event({ seq: 4, run: run({ seq: 4 }) }));
    expect(r.run.waits).toBeNull();
  });

  it('ignores what is old, and what belongs to another run', () => {
    const r = record();
    r.hear(event({ seq: 1, steps: [step({ status: 'old' })] }));
    r.hear(event({ run_id: 'r2', seq: 2, steps: [step({ status: 'other' })] }));
    expect([r.steps.items[0]?.status, r.run.seq]).toEqual(['', 1]);
  });

  it('asks for the whole after a gap, once', async () => {
    const Get = vi.fn(async () => run({ seq: 5, answer: 'whole', plan: plan({ steps: [step({ status: 'done' })] }) }));
    const r = record({ Get });
    r.hear(event({ seq: 4, steps: [step({ status: 'lost' })] }));
    r.hear(event({ seq: 5, steps: [step({ status: 'lost' })] }));
    await vi.waitFor(() => expect(r.run.answer).toBe('whole'));
    expect([r.steps.items[0]?.status, r.run.seq, Get.mock.calls]).toEqual(['done', 5, [['r1']]]);
  });

  it('keeps what it has where the whole can’t be had', async () => {
    const r = record({ Get: () => Promise.reject({ message: 'gone' }) });
    r.hear(event({ seq: 9 }));
    await vi.waitFor(() => expect(r.failure?.message).toBe('gone'));
    expect(r.run.seq).toBe(1);
  });
});

describe('a run of many steps', () => {
  const first = run({ plan: plan({ total: 5000, steps: many(200) }) });
  const Steps = async ({ from, limit }: { from: number; limit: number }) => ({ run_id: 'r1', seq: 1, from, total: 5000, steps: many(limit, from) });

  it('knows how many there are and asks for those that are looked at', async () => {
    const r = record({ Steps }, first);
    expect([r.steps.items.length, r.steps.items[199]?.action_id, r.steps.items[200]]).toEqual([5000, 'a200', undefined]);
    r.steps.want(4990, 5000);
    await vi.waitFor(() => expect(r.steps.items[4999]?.action_id).toBe('a5000'));
    expect(r.steps.items[300]).toBeUndefined();
  });

  it('takes in a step that is far down, and keeps it when the run ends', () => {
    const r = record({ Steps }, first);
    r.hear(event({ seq: 2, steps: [step({ action_id: 'a4000', index: 3999, status: 'done' })] }));
    r.hear(event({ seq: 3, run: run({ seq: 3, status: 'done', plan: plan({ total: 5000, steps: many(200) }) }) }));
    expect([r.steps.items[3999]?.status, r.run.status]).toEqual(['done', 'done']);
  });
});
