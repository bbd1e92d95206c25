// Remembers which plan the page shows, so that a reloaded page can return to it. Only a key is
// stored; the program keeps the plan's content.

export interface Left {
  /** The key, or "". */
  get(): string;
  set(key: string): void;
}

const KEPT = 'errand.plan';

/**
 * Stores the key as long as the tab or the window exists. Without storage it is lost with the page.
 */
export function leftIn(storage: () => Pick<Storage, 'getItem' | 'setItem'>): Left {
  return {
    get() {
      try {
        return storage().getItem(KEPT) ?? '';
      } catch {
        return '';
      }
    },
    set(key) {
      try {
        storage().setItem(KEPT, key);
      } catch {
        // as above
      }
    },
  };
}

/** Stores the key only in memory. */
export function leftHere(key = ''): Left {
  return { get: () => key, set: (next) => void (key = next) };
}
