import type { Setting } from './api';

/** The order of the groups. Groups that are not listed come last, by name. */
const ORDER = ['ui', 'browser', 'files', 'search', 'policy', 'plugins', 'run', 'store', 'agent', 'llm'];

/** Groups the settings by the part of their key before the dot. */
export function grouped(entries: readonly Setting[]): [group: string, entries: Setting[]][] {
  const groups = new Map<string, Setting[]>();
  for (const setting of entries) {
    const group = setting.key.split('.')[0] ?? '';
    groups.set(group, [...(groups.get(group) ?? []), setting]);
  }
  const place = (group: string) => (ORDER.indexOf(group) + 1 || ORDER.length + 1);
  return [...groups].sort(([a], [b]) => place(a) - place(b) || a.localeCompare(b));
}

/** Splits a typed list: one entry per line. */
export function lines(text: string): string[] {
  return text.split('\n').map((line) => line.trim()).filter(Boolean);
}

/** Parses a typed whole number; null if it is invalid. */
export function whole(text: string): number | null {
  return /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : null;
}
