import type { Failure } from './api';
import { failureOf } from './bridge';
import { SLOW_AFTER_MS } from './loaded.svelte';

/** A part of a list of which the program holds the whole. */
export interface Part<T> {
  from: number;
  total: number;
  items: T[];
}

/** How many rows are asked for at once. */
export const PAGE = 200;

/**
 * A list that is longer than what is worth holding: its length is known, its
 * rows come in pages as they are looked at. A page is asked for once.
 */
export class Pages<T> {
  /** As many as there are; undefined where a row has not come yet. */
  items = $state.raw<readonly (T | undefined)[]>([]);
  failure = $state.raw<Failure | null>(null);
  /** The first part has come: `items` says how many there are. */
  ready = $state(false);
  /** The first part takes so long that the person is told. */
  slow = $state(false);

  #ask: (from: number, limit: number) => Promise<Part<T>>;
  #asked = new Set<number>();
  #generation = 0; // of the list; an answer to an older one is dropped

  constructor(ask: (from: number, limit: number) => Promise<Part<T>>) {
    this.#ask = ask;
  }

  /** Begins anew. What is shown stays until the first part has come. */
  async load(): Promise<void> {
    this.#generation++;
    this.#asked.clear();
    const timer = setTimeout(() => (this.slow = true), SLOW_AFTER_MS);
    await this.#fetch(0, true);
    clearTimeout(timer);
    this.slow = false;
  }

  /** Takes in rows that are known without asking, of a list of `total`. */
  put(part: Part<T>): void {
    if (part.items.length >= Math.min(PAGE, part.total)) this.#asked.add(0);
    else this.#asked.delete(0); // the rest of it is still to be asked for
    this.#take(part, true);
  }

  /** Asks for the rows [from, to) that are missing. */
  want(from: number, to: number): void {
    for (let page = Math.floor(from / PAGE); page * PAGE < Math.min(to, this.items.length); page++) {
      const whole = this.items.slice(page * PAGE, (page + 1) * PAGE).every((i) => i !== undefined);
      if (!whole) void this.#fetch(page, false);
    }
  }

  /** Replaces rows by their index. */
  update(rows: readonly T[], indexOf: (row: T) => number): void {
    if (rows.length === 0) return;
    const next = [...this.items];
    for (const row of rows) if (indexOf(row) < next.length) next[indexOf(row)] = row;
    this.items = next;
  }

  async #fetch(page: number, anew: boolean): Promise<void> {
    if (this.#asked.has(page)) return;
    this.#asked.add(page);
    const generation = this.#generation;
    try {
      const part = await this.#ask(page * PAGE, PAGE);
      if (generation === this.#generation) this.#take(part, anew);
    } catch (reason) {
      if (generation !== this.#generation) return;
      this.#asked.delete(page);
      this.failure = failureOf(reason);
    }
  }

  #take(part: Part<T>, anew: boolean): void {
    const next = anew ? [] : [...this.items];
    next.length = part.total;
    part.items.forEach((item, i) => (next[part.from + i] = item));
    this.items = Array.from(next);
    this.failure = null;
    this.ready = true;
  }
}
