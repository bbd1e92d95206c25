// How the palette finds a command: every word of the query has to be in its
// name, in any order; the start of a word weighs more than its middle, and
// letters that are only in the right order weigh least.

const START = 3;
const INSIDE = 2;
const SCATTERED = 1;

/** Scores a name for a query, higher is better; 0 where the name does not answer it. */
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

/** Small letters without marks; ё is е, as people type it. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

/** The items whose name answers the query, best first; equal ones keep their order. An empty query answers all. */
export function rank<T>(query: string, items: readonly T[], name: (item: T) => string): T[] {
  if (query.trim() === '') return [...items];
  return items
    .map((item) => ({ item, points: score(query, name(item)) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .map(({ item }) => item);
}
