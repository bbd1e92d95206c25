import type { Words } from '../words/words.svelte';

// The program names a run that takes another one back after it.
const UNDO = /^undo [0-9a-z]{26}: /;

/** Whether a run takes another one back: its words are no goal that could be given again. */
export const isUndo = (text: string): boolean => UNDO.test(text);

/** The words of a run as a person reads them. */
export const said = (text: string, t: Words): string => (isUndo(text) ? t.goal.undo(text.replace(UNDO, '')) : text);
