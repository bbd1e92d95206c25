import { expect, it } from 'vitest';

import { en } from '../words/words.svelte';
import { isGoal, isUndo, said } from './said';

it.each([
  ['open github', 'goal', 'open github'],
  ['undo the knot: carefully', 'goal', 'undo the knot: carefully'],
  ['undo 01m8hf7a2kmt42twqcjqe2ewzs: delete folder Old', 'undo', 'Undo: delete folder Old'],
  ['recipe trip', 'recipe', 'Recipe: trip'],
  ['recipe trip days=5 place=Oslo', 'recipe', 'Recipe: trip days=5 place=Oslo'],
  ['recipe for pancakes', 'goal', 'recipe for pancakes'],
])('%j', (text, kind, want) => {
  expect([isUndo(text), isGoal(text), said(text, en)]).toEqual([kind === 'undo', kind === 'goal', want]);
});
