import { expect, it } from 'vitest';

import { blanks, filled, Recipes } from './recipes.svelte';

function storage(kept: string | null = null) {
  return { kept, getItem: () => kept, setItem(_: string, value: string) { this.kept = value; } };
}

it('keeps recipes by their name', () => {
  const place = storage();
  const recipes = new Recipes(place);
  expect(recipes.save({ name: ' News ', text: 'open wikipedia' })).toBe('');
  expect(recipes.save({ name: 'Alan', text: 'search wikipedia for alan turing' })).toBe('');
  expect(recipes.save({ name: 'news', text: 'x' })).toBe('taken');
  expect(recipes.save({ name: ' ', text: 'x' })).toBe('unnamed');
  expect(recipes.save({ name: 'Daily', text: 'open wikipedia' }, 'News')).toBe('');
  expect(recipes.list.map((r) => r.name)).toEqual(['Alan', 'Daily']);
  recipes.remove('Alan');
  expect(new Recipes(storage(place.kept)).list).toEqual([{ name: 'Daily', text: 'open wikipedia' }]);
});

it.each([['nothing', null], ['no JSON', '{'], ['no list', '{"a":1}'], ['no recipes', '[1,null,{"name":1}]']])('begins empty where %s is kept', (_, kept) => {
  expect(new Recipes(storage(kept)).list).toEqual([]);
});

it('knows the blanks of a goal and fills them in', () => {
  const text = 'search {site} for { topic } and {topic}';
  expect(blanks(text)).toEqual(['site', 'topic']);
  expect(filled(text, { topic: 'owls ' })).toBe('search {site} for owls and owls');
});
