import type { Failure } from '../lib/api';
import { en } from './en';
import { ru } from './ru';
import type { Teller } from './tell';

/** The texts of a language: every key of English, with the same parameters. */
export type Words = typeof en;

const languages: Record<string, Words> = { en, ru };

/** Translations of the program's messages, loaded on demand. */
const tellers: Record<string, () => Promise<Teller>> = { ru: async () => (await import('./ru/told')).teller };

/** The current language. Components read `words.t` and update with it. */
export const words = $state({ t: en });

let teller = $state.raw<Teller | null>(null);

/**
 * Returns a message of the program in the current language, or unchanged if there is no
 * translation.
 */
export const told = (sentence: string): string => teller?.tell(sentence) ?? sentence;

/**
 * What failed and why, in the current language. Failures that only the window knows have its own
 * texts.
 */
export const failed = ({ class: kind, code, message }: Failure): { what: string; why: string } => {
  const [titles, reasons] = [words.t.failure, words.t.why] as Record<string, string>[];
  return { what: titles![code] ?? titles![kind] ?? words.t.failure.unknown, why: reasons![code] ?? told(message) };
};

/**
 * Switches to the configured language, or else to the first supported language of the system.
 * English is the fallback. Resolves when the translations are loaded, too.
 */
export async function speak(configured: string, system: readonly string[]): Promise<void> {
  const wanted = configured ? [configured] : system;
  const tag = wanted.map((w) => w.toLowerCase().split('-')[0] ?? '').find((w) => w in languages) ?? 'en';
  words.t = languages[tag] ?? en;
  teller = null;
  const loaded = await tellers[tag]?.().catch(() => null); // not to be had now: it is asked for again with the language
  if (words.t.tag === tag) teller = loaded ?? null; // else another one was asked for meanwhile
}
