import { describe, expect, it, vi } from 'vitest';

import { step } from '../dev/samples';
import type { Step } from './api';
import { PAGE, Pages } from './pages.svelte';
import { Ticks } from './ticks.svelte';

/** A plan in three pages; steps 11, 251 and 449 destroy something, and step 301 depends on 251. */
const TOTAL = 2 * PAGE + 50;
const long: Step[] = Array.from({ length: TOTAL }, (_, i) =>
  step({ action_id: `a${i + 1}`, index: i, preview: `Step ${i + 1}`, needs_confirmation: [10, 250, 448].includes(i), depends_on: i === 300 ? ['a251'] : [] }),
);

function pagesOf(steps: readonly Step[]) {
  const ask = vi.fn(async (from: number, limit: number) => ({ from, total: steps.length, items: steps.slice(from, from + limit) }));
  const pages = new Pages<Step>(ask);
  pages.put({ from: 0, total: steps.length, items: steps.slice(0, PAGE) });
  return { pages, ask };
}

describe('ticks of a plan in pages', () => {
  it('reach the steps of every page', async () => {
    const { pages, ask } = pagesOf(long);
    const ticks = new Ticks();
    expect(pages.loaded.length).toBe(PAGE);
    expect(ticks.runs(pages.loaded, TOTAL, 3)).toBeNull(); // a later page may have one
    pages.want(0, TOTAL);
    await vi.waitFor(() => expect(pages.loaded.length).toBe(TOTAL));
    expect(ask.mock.calls).toEqual([[PAGE, PAGE], [2 * PAGE, PAGE]]);
    expect(pages.loaded.filter((s) => s.needs_confirmation).map((s) => s.action_id)).toEqual(['a11', 'a251', 'a449']);
    expect(ticks.runs(pages.loaded, TOTAL, 3)).toBe(TOTAL - 4); // and the one that depends on a251
    ticks.set(long[250]!, true);
    ticks.set(long[448]!, true);
    expect(ticks.of(pages.loaded)).toEqual(['a251', 'a449']);
    expect(ticks.runs(pages.loaded, TOTAL, 3)).toBe(TOTAL - 1);
    ticks.set(long[250]!, false);
    expect(ticks.runs(pages.loaded, TOTAL, 3)).toBe(TOTAL - 3);
  });

  it('wait for a page that could not be loaded', async () => {
    let broken = true;
    const pages = new Pages<Step>(async (from, limit) => {
      if (broken && from > 0) throw { message: 'the plan has changed' };
      return { from, total: TOTAL, items: long.slice(from, from + limit) };
    });
    pages.put({ from: 0, total: TOTAL, items: long.slice(0, PAGE) });
    pages.want(0, TOTAL);
    await vi.waitFor(() => expect(pages.failure?.message).toBe('the plan has changed'));
    const ticks = new Ticks();
    expect(ticks.runs(pages.loaded, TOTAL, 3)).toBeNull();
    broken = false;
    pages.want(0, TOTAL);
    await vi.waitFor(() => expect(ticks.runs(pages.loaded, TOTAL, 3)).toBe(TOTAL - 4));
    expect(pages.failure).toBeNull();
  });

  it('need no other page where nothing is destroyed', () => {
    const { pages, ask } = pagesOf(long.map((s) => ({ ...s, needs_confirmation: false, depends_on: [] })));
    expect(new Ticks().runs(pages.loaded, TOTAL, 0)).toBe(TOTAL);
    expect(ask).not.toHaveBeenCalled();
  });

  it('are lost when the step is edited, and not by another step', () => {
    const ticks = new Ticks();
    const [wipe, other] = [long[10]!, long[448]!];
    ticks.set(wipe, true);
    ticks.set(wipe, true);
    expect(ticks.of([wipe, other])).toEqual(['a11']);
    expect(ticks.of([{ ...wipe, args: [{ name: 'path', value: '/other' }] }, other])).toEqual([]);
    expect(ticks.of([{ ...wipe, status: 'running' }, other])).toEqual(['a11']);
    ticks.set(wipe, false);
    expect(ticks.of([wipe, other])).toEqual([]);
  });

  it('count only for steps that need one', () => {
    const ticks = new Ticks();
    ticks.set(long[0]!, true);
    expect(ticks.of(long)).toEqual([]);
  });
});

describe('the number to type', () => {
  const destroys = (count: number, reversible = false) => ({ destroys: [], count, reversible, note: '' }) as unknown as Step['forecast'];
  const mixed: Step[] = [
    ...[1, 2, 3, 4, 5].map((n) => step({ action_id: `a${n}`, preview: `Step ${n}`, read_only: false })),
    step({ action_id: 'a6', preview: 'Reads' }),
    step({ action_id: 'a7', preview: 'Empties', read_only: false, needs_confirmation: true, forecast: destroys(40) }),
    step({ action_id: 'a8', preview: 'After it', read_only: false, depends_on: ['a7'] }),
  ];
  const at = (id: string) => mixed.find((s) => s.action_id === id) as Step;

  it('counts only the steps that would run', () => {
    const ticks = new Ticks();
    expect(ticks.count(mixed, 99)).toBe(5);
    ticks.set(at('a7'), true);
    expect(ticks.count(mixed, 99)).toBe(5 + 40 + 1);
    ticks.set(at('a7'), false);
    expect(ticks.count(mixed, 99)).toBe(5);
  });

  it('is not asked for below five changes', () => {
    const ticks = new Ticks();
    const few = mixed.slice(4);
    expect(ticks.count(few, 42)).toBe(0);
    ticks.set(at('a7'), true);
    expect(ticks.count(few, 42)).toBe(42);
  });

  it('is that of the plan if no step can have a tick', () => {
    expect(new Ticks().count(mixed.slice(0, 6), 5)).toBe(5);
  });

  it('counts what goes to the trash whole as one', () => {
    const ticks = new Ticks();
    const trash = step({ action_id: 'a9', preview: 'Trash', read_only: false, needs_confirmation: true, forecast: destroys(40, true) });
    ticks.set(trash, true);
    expect(ticks.count([...mixed.slice(0, 5), trash], 0)).toBe(6);
  });
});
