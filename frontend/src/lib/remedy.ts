// What the user can do about a failure, in the window's words. The program's hints are the same in
// all interfaces, and some name commands of the command line.

import type { Words } from '../words/words.svelte';

/** Matches a hint that names a command or one of its options. */
const COMMAND = /\berrand [a-z]+|(^|\s)--[a-z]|`errand/;

export interface Remedy {
  text: string;
  /** The window has no action for it; it needs the command line. */
  elsewhere: boolean;
}

/** Returns what the user can do about a code or a rule; null if nothing is known. */
export function remedy(code: string, hint: string, t: Words): Remedy | null {
  if (hint === '') return null;
  if (!COMMAND.test(hint)) return { text: hint, elsewhere: false };
  const own = (t.remedies as Record<string, string>)[code];
  return own === undefined ? { text: hint, elsewhere: true } : { text: own, elsewhere: false };
}
