import { expect, it } from 'vitest';

import { nextScale } from './appearance.svelte';

it.each([
  [100, 1, 110], [110, -1, 100], [200, 1, 200], [90, -1, 90], [7, 1, 110],
] as const)('from %i per cent by %i is %i', (scale, by, want) => {
  expect(nextScale(scale, by)).toBe(want);
});
