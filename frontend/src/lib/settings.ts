import type { Setting } from './api';

/** The order in which people look for them; what is not named comes last, by its name. */
const ORDER = ['ui', 'browser', 'files', 'search', 'policy', 'plugins', 'run', 'store', 'agent'];

/** The settings by the part of their key before the dot. */
export function grouped(entries: readonly Setting[]): [group: string, entries: Setting[]][] {
  const groups = new Map<string, Setting[]>();
  for (const setting of entries) {
    const group = setting.key.split('.')[0] ?? '';
    groups.set(group, [...(groups.get(group) ?? []), setting]);
  }
  const place = (group: string) => (ORDER.indexOf(group) + 1 || ORDER.length + 1);
  return [...groups].sort(([a], [b]) => place(a) - place(b) || a.localeCompare(b));
}

/** A list as it is typed: one entry a line. */
export function lines(text: string): string[] {
  return text.split('\n').map((line) => line.trim()).filter(Boolean);
}

/** A whole number as it is typed; null: it is none, and nothing is guessed. */
export function whole(text: string): number | null {
  return /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : null;
}
