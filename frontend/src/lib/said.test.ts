import { expect, it } from 'vitest';

import { en } from '../words/en';
import { isUndo, said } from './said';

it.each([
  ['open github', false, 'open github'],
  ['undo the knot: carefully', false, 'undo the knot: carefully'],
  ['undo 01m8hf7a2kmt42twqcjqe2ewzs: delete folder Old', true, 'Take back: delete folder Old'],
])('%j', (text, undo, want) => {
  expect([isUndo(text), said(text, en)]).toEqual([undo, want]);
});
