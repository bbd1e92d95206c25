import type { Failure } from '../lib/api';
import { en } from './en';
import { ru } from './ru';
import type { Teller } from './tell';

/** What a language has to say: every key of English, with the same parameters. */
export type Words = typeof en;

const languages: Record<string, Words> = { en, ru };

/** What the program says of itself, in other languages than its own: loaded where one is spoken. */
const tellers: Record<string, () => Promise<Teller>> = { ru: async () => (await import('./ru/told')).teller };

/** The language that is spoken; components read `words.t` and follow it. */
export const words = $state({ t: en });

let teller = $state.raw<Teller | null>(null);

/** A sentence of the program in the language that is spoken. One that has no translation stays as it is. */
export const told = (sentence: string): string => teller?.tell(sentence) ?? sentence;

/** What went wrong, and why, in the language that is spoken: in the window's own words for what only the window knows of. */
export const failed = ({ class: kind, code, message }: Failure): { what: string; why: string } => {
  const [titles, reasons] = [words.t.failure, words.t.why] as Record<string, string>[];
  return { what: titles![code] ?? titles![kind] ?? words.t.failure.unknown, why: reasons![code] ?? told(message) };
};

/**
 * Speaks the language of the configuration, or where it is empty the first one
 * of the system's that there is. English is the last resort. It ends when what
 * the program says can be told, too.
 */
export async function speak(configured: string, system: readonly string[]): Promise<void> {
  const wanted = configured ? [configured] : system;
  const tag = wanted.map((w) => w.toLowerCase().split('-')[0] ?? '').find((w) => w in languages) ?? 'en';
  words.t = languages[tag] ?? en;
  teller = null;
  const loaded = await tellers[tag]?.().catch(() => null); // not to be had now: it is asked for again with the language
  if (words.t.tag === tag) teller = loaded ?? null; // else another one was asked for meanwhile
}
