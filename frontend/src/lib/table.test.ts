import { expect, it } from 'vitest';

import { tableOf } from './table';

it.each([
  ['text', 'hello', null],
  ['what only looks like a list', '[draft] hello', null],
  ['an empty list', '[]', null],
  ['an object', '{"a":1}', null],
  ['a mixed list', '[1,{"a":1}]', null],
  ['plain values', '["a",2,null]', { columns: [], rows: [['a'], ['2'], ['']], total: 3 }],
  ['objects', '[{"name":"a","size":1},{"name":"b","tags":["x"]}]', { columns: ['name', 'size', 'tags'], rows: [['a', '1', ''], ['b', '', '["x"]']], total: 2 }],
])('%s', (_, text, want) => {
  expect(tableOf(text)).toEqual(want);
});

it('shows the first rows of many and says how many there are', () => {
  const table = tableOf(JSON.stringify(Array.from({ length: 300 }, (_, i) => i)));
  expect([table?.rows.length, table?.total]).toEqual([50, 300]);
});
