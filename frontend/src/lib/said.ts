import type { Words } from '../words/words.svelte';

// The program names a run that takes another one back after it, and one of a
// recipe after that.
const UNDO = /^undo [0-9a-z]{26}: /;
const RECIPE = /^recipe (?=[a-z0-9][a-z0-9_-]{0,63}(?: [^ =]+=|$))/;

/** Whether a run takes another one back. */
export const isUndo = (text: string): boolean => UNDO.test(text);

/** Whether a run's words are a goal, which could be given again. */
export const isGoal = (text: string): boolean => !isUndo(text) && !RECIPE.test(text);

/** The words of a run as a person reads them. */
export function said(text: string, t: Words): string {
  if (isUndo(text)) return t.goal.undo(text.replace(UNDO, ''));
  return RECIPE.test(text) ? t.goal.recipe(text.replace(RECIPE, '')) : text;
}
