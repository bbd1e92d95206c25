// Which plan the page shows. It outlasts the page, so that one that is loaded
// again comes back to it: the key alone, what the plan was made of stays in the
// program.

export interface Left {
  /** The key; "" for none. */
  get(): string;
  set(key: string): void;
}

const KEPT = 'errand.plan';

/** Keeps the key as long as the tab or the window is there. A window without storage forgets it, and works. */
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

/** Forgets it with the page. */
export function leftHere(key = ''): Left {
  return { get: () => key, set: (next) => void (key = next) };
}
