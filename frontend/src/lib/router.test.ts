import { describe, expect, it } from 'vitest';

import { fragment, parse, Router } from './router.svelte';

describe('a place in the address', () => {
  it.each([
    ['', 'goal', ''],
    ['#/', 'goal', ''],
    ['#/nowhere', 'goal', ''],
    ['#token=abc', 'goal', ''],
    ['#/runs', 'runs', ''],
    ['#/runs/r1', 'runs', 'r1'],
    ['#/plugins/a%2Fb', 'plugins', 'a/b'],
    ['#/plugins/%E0%A4%A', 'plugins', ''],
  ] as const)('%j is %s %j', (text, room, item) => {
    expect(parse(text)).toEqual({ room, item });
  });

  it.each(['r1', 'a/b', 'файл №1'])('keeps the item %j', (item) => {
    expect(parse(fragment({ room: 'runs', item }))).toEqual({ room: 'runs', item });
  });
});

describe('going up', () => {
  it('leaves an item for its room, a room for the goal, and the goal for nothing', () => {
    const router = new Router();
    router.go('runs', 'r1');
    expect([router.up(), router.room, router.item]).toEqual([true, 'runs', '']);
    expect([router.up(), router.room]).toEqual([true, 'goal']);
    expect(router.up()).toBe(false);
  });
});
