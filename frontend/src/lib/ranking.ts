// How the palette finds a command. Every word of the query must match the name, in any order. The
// start of a word scores higher than its middle; letters that are only in the right order score
// lowest.

const START = 3;
const INSIDE = 2;
const SCATTERED = 1;

/** Returns the score of a name for a query, higher is better; 0 if it doesn't match. */
export function score(query: string, name: string): number {
  const text = fold(name);
  let total = 0;
  for (const word of fold(query).split(/\s+/).filter(Boolean)) {
    const one = scoreWord(word, text);
    if (one === 0) return 0;
    total += one;
  }
  return total;
}

function scoreWord(word: string, text: string): number {
  const at = text.indexOf(word);
  if (at === 0) return START + 1;
  if (at > 0) return text.includes(` ${word}`) ? START : INSIDE;
  return word.length > 1 && inOrder(word, text) ? SCATTERED : 0;
}

function inOrder(letters: string, text: string): boolean {
  let from = 0;
  for (const letter of letters) {
    const at = text.indexOf(letter, from);
    if (at < 0) return false;
    from = at + letter.length;
  }
  return true;
}

/** Lower-case letters without diacritics; ё counts as е. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

/**
 * Returns the items whose name matches, best first; ties keep their order. An empty query matches
 * all.
 */
export function rank<T>(query: string, items: readonly T[], name: (item: T) => string): T[] {
  if (query.trim() === '') return [...items];
  return items
    .map((item) => ({ item, points: score(query, name(item)) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .map(({ item }) => item);
}
