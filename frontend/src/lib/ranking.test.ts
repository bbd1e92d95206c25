import { describe, expect, it } from 'vitest';

import { rank, score } from './ranking';

describe('a name', () => {
  it.each([
    ['runs', 'Runs', 4],
    ['set', 'Open settings', 3],
    ['ettin', 'Open settings', 2],
    ['opst', 'Open settings', 1],
    ['theme dark', 'Dark theme', 7],
    ['елки', 'Ёлки', 4],
    ['z', 'Open settings', 0],
    ['open zebra', 'Open settings', 0],
  ])('%j scores %j as %d', (query, name, want) => {
    expect(score(query, name)).toBe(want);
  });
});

it('puts the best first and keeps the order of equals', () => {
  const names = ['Close the run', 'Runs', 'Rules', 'Recipes: run one'];
  expect(rank('run', names, (n) => n)).toEqual(['Runs', 'Close the run', 'Recipes: run one']);
  expect(rank('  ', names, (n) => n)).toEqual(names);
});
