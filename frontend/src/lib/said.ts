import type { Words } from '../words/words.svelte';

// The text of a run that undoes another run contains that run's text; the same holds for a run of a
// recipe.
const UNDO = /^undo [0-9a-z]{26}: /;
const RECIPE = /^recipe (?=[a-z0-9][a-z0-9_-]{0,63}(?: [^ =]+=|$))/;

/** Whether a run undoes another one. */
export const isUndo = (text: string): boolean => UNDO.test(text);

/** Whether a run's text is a goal that can be entered again. */
export const isGoal = (text: string): boolean => !isUndo(text) && !RECIPE.test(text);

/** The text of a run for users. */
export function said(text: string, t: Words): string {
  if (isUndo(text)) return t.goal.undo({ text: text.replace(UNDO, '') });
  return RECIPE.test(text) ? t.goal.recipe({ text: text.replace(RECIPE, '') }) : text;
}
