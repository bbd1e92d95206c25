import { describe, expect, it, vi } from 'vitest';

import { api, draft, failure, run, step } from '../dev/samples';
import type { API, Draft, Events } from './api';
import type { Program } from './bridge';
import { changes, Drafts, waitsFor } from './drafts.svelte';

function fake(answers: Partial<API>) {
  const heard: { [name: string]: (data: never) => void } = {};
  const program: Program = { api: api(answers), on: (name, hear) => void (heard[name] = hear), title: () => {}, usable: () => {}, upload: null, picture: (p) => p };
  return { drafts: new Drafts(program), tell: (data: Events['waiting']) => heard['waiting']!(data as never) };
}

describe('the drafts that wait', () => {
  it('are asked for when their number changes', async () => {
    const { drafts, tell } = fake({ Drafts: async () => [draft(), draft({ draft_id: 'd2' })] });
    tell({ waiting: 2 });
    expect(drafts.waiting).toBe(2);
    await vi.waitFor(() => expect(drafts.list.value).toHaveLength(2));
  });

  it('are approved as they were shown, and then run', async () => {
    const Approve = vi.fn(async () => run({ run_id: 'r2' }));
    const { drafts } = fake({ Approve, Drafts: async () => [] });
    const begun = await drafts.approve(draft({ revision: 'seen' }), { scope: 'run', confirm: 5, confirmed: ['a2'] });
    expect(Approve).toHaveBeenCalledWith({ draft_id: 'd1', revision: 'seen', actions: [], scope: 'run', confirm: 5, confirmed: ['a2'] });
    expect([begun?.run_id, drafts.waiting]).toEqual(['r2', 0]);
  });

  it('begin nothing where they have changed meanwhile', async () => {
    const { drafts } = fake({ Approve: () => Promise.reject(failure({ code: 'draft_changed' })), Drafts: async () => [draft({ revision: 'new' })] });
    expect(await drafts.approve(draft(), { scope: 'once', confirm: 0, confirmed: [] })).toBeNull();
    expect([drafts.deed.failure?.code, drafts.list.value?.[0]?.revision]).toEqual(['draft_changed', 'new']);
  });

  it('are as many as was heard last, however late an older list comes', async () => {
    const lists: ((drafts: Draft[]) => void)[] = [];
    const { drafts, tell } = fake({ Drafts: () => new Promise((done) => lists.push(done)) });
    const [before, loading] = [drafts.load(), drafts.load()];
    lists.forEach((answer) => answer([draft()]));
    await Promise.all([before, loading]);
    expect(drafts.waiting).toBe(1);
    const after = drafts.load();
    tell({ waiting: 0 });
    lists[2]!([draft()]);
    await after;
    expect(drafts.waiting).toBe(0);
  });

  it('are applied without a second approval once they are approved', async () => {
    const Apply = vi.fn(async () => run({ run_id: 'r2' }));
    const { drafts } = fake({ Apply, Drafts: async () => [] });
    const begun = await drafts.apply(draft({ state: 'ready', approved: ['a1'], approved_until: 600_000 }));
    expect(Apply).toHaveBeenCalledWith('d1');
    expect([begun?.run_id, drafts.waiting, drafts.deed.failure]).toEqual(['r2', 0, null]);
  });

  it('are listed again where they can not be applied', async () => {
    const { drafts } = fake({ Apply: () => Promise.reject(failure({ code: 'approval_required' })), Drafts: async () => [draft({ revision: 'new' })] });
    expect(await drafts.apply(draft({ state: 'ready', approved: ['a1'], approved_until: 600_000 }))).toBeNull();
    expect([drafts.deed.failure?.code, drafts.list.value?.[0]?.revision]).toEqual(['approval_required', 'new']);
  });

  it('may be denied in part', async () => {
    const Deny = vi.fn(async () => draft({ steps: [step({ status: 'rejected' })] }));
    const { drafts } = fake({ Deny, Drafts: async () => [draft()] });
    await drafts.deny(draft(), ['a2']);
    expect(Deny).toHaveBeenCalledWith('d1', ['a2']);
    expect(drafts.waiting).toBe(1);
  });
});

describe('what a draft waits for', () => {
  const question = { id: 'q', question: '?', choices: [], free_text: true };
  const approved = { state: 'ready', approved: ['a1'], approved_until: 600_000 };

  it.each([
    ['one that was only proposed', {}, 1000, 'approval'],
    ['one with a question', { questions: [question] }, 1000, 'question'],
    ['one that is approved', approved, 1000, 'apply'],
    ['one whose approval ended', approved, 600_000, 'approval'],
    ['one whose approved steps are done', { ...approved, approved: [] }, 1000, 'approval'],
    ['one that ran', { ...approved, final: true, state: 'applied' }, 1000, 'ended'],
  ] as const)('%s', (_, over, now, want) => {
    expect(waitsFor(draft(over as Partial<Draft>), now)).toBe(want);
  });
});

describe('changed arguments', () => {
  const args = [{ name: 'path', value: '/a' }, { name: 'force', value: 'true' }, { name: 'tags', value: '["x"]' }, { name: 'note', value: '[draft' }];

  it.each([
    ['nothing', {}, []],
    ['the same', { path: '/a' }, []],
    ['a text', { path: '/b' }, [{ name: 'path', value: '/b', json: false, remove: false }]],
    ['a flag', { force: 'false' }, [{ name: 'force', value: 'false', json: true, remove: false }]],
    ['a list', { tags: '["y"]' }, [{ name: 'tags', value: '["y"]', json: true, remove: false }]],
    ['a text that only looks like one', { note: '[done' }, [{ name: 'note', value: '[done', json: false, remove: false }]],
    ['no words', { path: '' }, [{ name: 'path', value: '', json: false, remove: true }]],
  ])('%s', (_, typed, want) => {
    expect(changes(args, typed as Record<string, string>)).toEqual(want);
  });
});
