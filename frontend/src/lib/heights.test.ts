import { describe, expect, it } from 'vitest';

import { Heights } from './heights';

describe('the rows of a long list', () => {
  it('stand by their estimate until they are measured', () => {
    const h = new Heights(5000, 40);
    expect([h.total, h.top(10), h.at(399), h.at(400)]).toEqual([200_000, 400, 9, 10]);
    expect(h.measure(3, 100)).toBe(60);
    expect(h.measure(3, 100)).toBe(0);
    expect([h.total, h.top(3), h.top(4), h.top(10)]).toEqual([200_060, 120, 220, 460]);
    expect([h.at(219), h.at(220)]).toEqual([3, 4]);
  });

  it('agree with adding them up', () => {
    const h = new Heights(300, 20);
    const sizes = Array.from({ length: 300 }, (_, i) => (i * 7919) % 50);
    sizes.forEach((size, i) => h.measure(i, size));
    let sum = 0;
    sizes.forEach((size, i) => {
      expect(h.top(i)).toBe(sum);
      sum += size;
    });
    expect(h.total).toBe(sum);
  });

  it.each([
    ['at the top', 0, [0, 8]],
    ['in the middle', 1000, [48, 58]],
    ['past the end', 9000, [97, 100]],
  ])('are shown with a margin %s', (_, y, want) => {
    expect(new Heights(100, 20).window(y, 100, 2)).toEqual(want);
  });

  it('may be none', () => {
    const h = new Heights(0, 20);
    expect([h.total, h.at(5), h.window(0, 100, 2)]).toEqual([0, 0, [0, 0]]);
    expect(h.measure(0, 5)).toBe(0);
  });

  it('keep what was measured when more come', () => {
    const h = new Heights(2, 20);
    h.measure(1, 50);
    const more = h.resized(4);
    expect([more.total, more.top(2), more.count]).toEqual([110, 70, 4]);
  });
});
