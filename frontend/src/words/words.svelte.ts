import { en } from './en';
import { ru } from './ru';

/** What a language has to say: every key of English, with the same parameters. */
export type Words = typeof en;

const languages: Record<string, Words> = { en, ru };

/** The language that is spoken; components read `words.t` and follow it. */
export const words = $state({ t: en });

/**
 * Speaks the language of the configuration, or where it is empty the first one
 * of the system's that there is. English is the last resort.
 */
export function speak(configured: string, system: readonly string[]): void {
  const wanted = configured ? [configured] : system;
  const tag = wanted.map((w) => w.toLowerCase().split('-')[0] ?? '').find((w) => w in languages) ?? 'en';
  words.t = languages[tag] ?? en;
}
