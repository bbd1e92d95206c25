import { describe, expect, it, vi } from 'vitest';

import { PAGE, Pages, type Part } from './pages.svelte';

const numbers = (from: number, limit: number, total = 1000): Part<number> => ({
  from,
  total,
  items: Array.from({ length: Math.max(Math.min(limit, total - from), 0) }, (_, i) => from + i),
});

describe('a list in pages', () => {
  it('knows its length at once and its rows when they are looked at', async () => {
    const ask = vi.fn(async (from: number, limit: number) => numbers(from, limit));
    const pages = new Pages(ask);
    expect(pages.ready).toBe(false);
    await pages.load();
    expect([pages.ready, pages.items.length, pages.items[0], pages.items[999]]).toEqual([true, 1000, 0, undefined]);
    pages.want(390, 410);
    pages.want(395, 415);
    await vi.waitFor(() => expect(pages.items[401]).toBe(401));
    expect(pages.items[390]).toBe(390);
    expect(ask.mock.calls).toEqual([[0, PAGE], [PAGE, PAGE], [2 * PAGE, PAGE]]);
  });

  it('asks for the rest of a first part that was put in short', async () => {
    const ask = vi.fn(async (from: number, limit: number) => numbers(from, limit));
    const pages = new Pages(ask);
    pages.put(numbers(0, 20));
    pages.want(0, 10);
    await vi.waitFor(() => expect(pages.items[199]).toBe(199));
    pages.put(numbers(0, PAGE));
    pages.want(0, 10);
    expect(ask.mock.calls).toEqual([[0, PAGE]]);
  });

  it('keeps what is shown until a new beginning has come, and drops late answers to the old one', async () => {
    const answers: ((part: Part<number>) => void)[] = [];
    const pages = new Pages<number>(() => new Promise((resolve) => answers.push(resolve)));
    const first = pages.load();
    const second = pages.load();
    answers[1]!(numbers(0, 2, 2));
    await second;
    answers[0]!(numbers(0, 5, 5));
    await first;
    expect(pages.items).toEqual([0, 1]);
  });

  it('says what went wrong and may be asked again', async () => {
    let broken = true;
    const pages = new Pages(async (from, limit) => {
      if (broken) throw { message: 'the store is locked' };
      return numbers(from, limit, 3);
    });
    await pages.load();
    expect(pages.failure?.message).toBe('the store is locked');
    broken = false;
    await pages.load();
    expect([pages.failure, pages.items]).toEqual([null, [0, 1, 2]]);
  });

  it('takes in rows that changed, by their index', () => {
    const pages = new Pages<{ at: number; text: string }>(async () => ({ from: 0, total: 0, items: [] }));
    pages.put({ from: 0, total: 3, items: [{ at: 0, text: 'a' }] });
    pages.update([{ at: 2, text: 'c' }, { at: 7, text: 'beyond' }], (r) => r.at);
    expect(pages.items.map((i) => i?.text)).toEqual(['a', undefined, 'c']);
  });

  it('does not ask for rows that it was given', () => {
    const ask = vi.fn(async (from: number, limit: number) => numbers(from, limit));
    const pages = new Pages(ask);
    pages.put(numbers(0, 3, 3));
    pages.want(0, 3);
    expect(ask).not.toHaveBeenCalled();
  });
});
