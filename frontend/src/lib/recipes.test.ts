import { expect, it } from 'vitest';

import { api, failure, param, recipe } from '../dev/samples';
import type { API, Recipe } from './api';
import { askFor, lacks, nameFor, Recipes, validName } from './recipes.svelte';

function recipes(answers: Partial<API>) {
  return new Recipes({ api: api(answers), on: () => {}, title: () => {}, usable: () => {}, upload: null, picture: (p) => p });
}

it('keeps a run by a name, and takes no other recipe’s place unasked', async () => {
  const kept: Recipe[] = [recipe({ name: 'trip' })];
  const store = recipes({
    Recipes: async () => [...kept],
    SaveRecipe: async ({ name, replace }) => {
      if (!replace && kept.some((r) => r.name === name)) throw failure({ code: 'recipe_taken' });
      if (!validName(name)) throw failure({ code: 'bad_recipe' });
      const made = recipe({ name });
      kept.push(made);
      return made;
    },
  });
  expect(await store.save('r1', 'trip', false)).toBe('taken');
  expect(await store.save('r1', 'trip', true)).toEqual(recipe({ name: 'trip' }));
  expect(await store.save('r1', 'other', false)).toEqual(recipe({ name: 'other' }));
  await expect(store.save('r1', 'No name', false)).rejects.toMatchObject({ code: 'bad_recipe' });
});

it('is without a recipe that was removed, and says why one stayed', async () => {
  let kept = [recipe({ name: 'trip' }), recipe({ name: 'bad', problem: 'bad.toml:2: unknown key' })];
  const store = recipes({
    Recipes: async () => kept,
    RemoveRecipe: async (name) => {
      if (name === 'trip') throw failure();
      kept = kept.filter((r) => r.name !== name);
    },
  });
  await store.remove('bad');
  expect([store.list.value?.map((r) => r.name), store.deed.failure]).toEqual([['trip'], null]);
  await store.remove('trip');
  expect([store.list.value?.map((r) => r.name), store.deed.failure]).toEqual([['trip'], failure()]);
});

it('begins with the defaults, later with what was given last', () => {
  const of = recipe({ params: [param(), param({ name: 'days', type: 'int', default: '3', needed: false }), param({ name: 'sure', type: 'bool' })] });
  const store = recipes({});
  expect(store.values(of)).toEqual({ place: '', days: '3', sure: 'false' });
  const ask = askFor(of, { place: 'Oslo ', days: ' 3', sure: 'true' });
  expect(ask).toEqual({ name: 'trip', values: [{ name: 'place', value: 'Oslo ' }, { name: 'sure', value: 'true' }] });
  store.give(ask);
  expect(store.values(of)).toEqual({ place: 'Oslo ', days: '3', sure: 'true' });
});

it('takes a secret as it is typed, and keeps none for the next time', async () => {
  const of = recipe({ params: [param(), param({ name: 'word', type: 'secret' })] });
  const store = recipes({ Recipes: async () => [of] });
  await store.list.load();
  expect(lacks(of, { place: 'Oslo', word: '' })).toBe(true);
  expect(lacks(of, { place: ' ', word: ' ' })).toBe(true);
  expect(lacks(of, { place: 'Oslo', word: ' ' })).toBe(false);
  const ask = askFor(of, { place: 'Oslo', word: ' open sesame ' });
  expect(ask.values).toContainEqual({ name: 'word', value: ' open sesame ' });
  store.give(ask);
  expect(store.values(of)).toEqual({ place: 'Oslo', word: '' });
});

it('says that a default is to be empty', () => {
  const of = recipe({ params: [param({ default: 'Oslo', needed: false })] });
  expect(askFor(of, { place: '' }).values).toEqual([{ name: 'place', value: '' }]);
  expect(askFor(of, { place: 'Oslo' }).values).toEqual([]);
});

it.each([
  ['open youtube and search nvidia', 'open-youtube-and-search-nvidia'],
  ['Create folder Café in documents', 'create-folder-cafe-in-documents'],
  ['a'.repeat(80), 'a'.repeat(40)],
  ['search wikipedia for the longest river of all the world', 'search-wikipedia-for-the-longest-river'],
  ['найди в википедии', ''],
])('%j is kept as %j', (text, name) => {
  expect(nameFor(text)).toBe(name);
  expect(name === '' || validName(name)).toBe(true);
});
