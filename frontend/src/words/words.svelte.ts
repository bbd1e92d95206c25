// The texts of the page in the current language. They are in app/i18n, one file a language; English
// is part of the page, the others are loaded when they are needed.

import english from '../../../app/i18n/en.toml';
import type { Failure } from '../lib/api';
import { Writer, type Params } from './template';
import type { Texts } from './texts';

export type Words = Texts & { tag: string };

type File = Readonly<Record<string, string>>;

const FOLDER = '../../../app/i18n/';
const files = import.meta.glob<File>(['../../../app/i18n/*.toml', '!../../../app/i18n/en.toml'], { import: 'default' });
const names = import.meta.glob<string>('../../../app/i18n/*.toml', { query: '?name', import: 'default', eager: true });

/** What each language calls itself, by its tag. */
export const languages: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(names).map(([file, name]) => [file.slice(FOLDER.length, -'.toml'.length), name]));

/** Makes the texts of a language. A text that it lacks is in English. */
export function wordsOf(tag: string, texts: File): Words {
  const writer = new Writer(tag, { ...english, ...texts });
  const tables: Record<string, Record<string, unknown>> = {};
  for (const [code, inEnglish] of Object.entries(english)) {
    const [, table, key] = /^window\.([a-z_]+)\.(.*)$/.exec(code) ?? [];
    if (!table || !key) continue;
    const text = texts[code] ?? inEnglish;
    (tables[table] ??= {})[key] = /\{(?!\{)/.test(inEnglish.replaceAll('{{', '')) ? (params: Params) => writer.fill(text, params) : writer.fill(text, {});
  }
  return { tag, ...tables } as unknown as Words;
}

export const en = wordsOf('en', english);

/** The current language. Components read `words.t` and update with it. */
export const words = $state({ t: en });

/** What failed and why. Failures that only the page knows have its own texts. */
export const failed = ({ class: kind, code, message }: Failure): { what: string; why: string } => {
  const [titles, reasons] = [words.t.failure, words.t.failure_reason] as Record<string, string>[];
  return { what: titles![code] ?? titles![kind] ?? words.t.failure.unknown, why: reasons![code] ?? message };
};

/** Returns the first of several tags ("ru-RU") whose language there is, or English. */
export const known = (tags: readonly string[]): string => tags.map((tag) => tag.toLowerCase().split('-')[0] ?? '').find((tag) => tag in languages) ?? 'en';

/** The languages of the system, the preferred one first. */
export const systemLanguages = (): string[] => [...(globalThis.navigator?.languages ?? [])];

let wanted = 'en';

/** Switches to the first known language. Resolves when its texts are there; if they can't be loaded, the page stays as it is. */
export async function speak(tags: readonly string[]): Promise<void> {
  const tag = known(tags);
  wanted = tag;
  const texts = tag === 'en' ? english : await files[`${FOLDER}${tag}.toml`]?.().catch(() => null);
  if (texts && wanted === tag) words.t = wordsOf(tag, texts); // else another language was asked for meanwhile
}
