// What helps, in the window's own words. The program's hints are the same for
// all that show them, and some name commands of the command line.

import type { Words } from '../words/words.svelte';

/** A hint that names a command, or an option of one. */
const COMMAND = /\berrand [a-z]+|(^|\s)--[a-z]|`errand/;

export interface Remedy {
  text: string;
  /** It is done at a command line: the window has no act for it. */
  elsewhere: boolean;
}

/** What helps against what a code or a rule says; null: nothing is known. */
export function remedy(code: string, hint: string, t: Words): Remedy | null {
  if (hint === '') return null;
  if (!COMMAND.test(hint)) return { text: hint, elsewhere: false };
  const own = (t.remedies as Record<string, string>)[code];
  return own === undefined ? { text: hint, elsewhere: true } : { text: own, elsewhere: false };
}
