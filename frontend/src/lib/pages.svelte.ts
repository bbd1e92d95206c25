import type { Failure } from './api';
import { failureOf } from './bridge';
import { SLOW_AFTER_MS } from './loaded.svelte';

/** A part of a list that the program has in full. */
export interface Part<T> {
  from: number;
  total: number;
  items: T[];
}

/** The number of rows in one request. */
export const PAGE = 200;

/**
 * A list that is too long to load in full. Its length is known; its rows are loaded in pages when
 * they become visible. Each page is requested once.
 */
export class Pages<T> {
  /** All rows; undefined for a row that isn't loaded yet. */
  items = $state.raw<readonly (T | undefined)[]>([]);
  failure = $state.raw<Failure | null>(null);
  /** The first part is loaded, so the length of `items` is known. */
  ready = $state(false);
  /** Loading the first part takes long enough to tell the user. */
  slow = $state(false);

  #ask: (from: number, limit: number) => Promise<Part<T>>;
  #asked = new Set<number>();
  #generation = 0; // of the list; an answer to an older one is dropped

  constructor(ask: (from: number, limit: number) => Promise<Part<T>>) {
    this.#ask = ask;
  }

  /** Starts over. The old rows stay visible until the first part is loaded. */
  async load(): Promise<void> {
    this.#generation++;
    this.#asked.clear();
    const timer = setTimeout(() => (this.slow = true), SLOW_AFTER_MS);
    await this.#fetch(0, true);
    clearTimeout(timer);
    this.slow = false;
  }

  /** Adds rows that are known without a request, of a list of `total`. */
  put(part: Part<T>): void {
    if (part.items.length >= Math.min(PAGE, part.total)) this.#asked.add(0);
    else this.#asked.delete(0); // the rest of it is still to be asked for
    this.#take(part, true);
  }

  /** Requests the missing rows in [from, to). */
  want(from: number, to: number): void {
    for (let page = Math.floor(from / PAGE); page * PAGE < Math.min(to, this.items.length); page++) {
      const whole = this.items.slice(page * PAGE, (page + 1) * PAGE).every((i) => i !== undefined);
      if (!whole) void this.#fetch(page, false);
    }
  }

  /** The rows that are loaded, in order. */
  get loaded(): T[] {
    return this.items.filter((i) => i !== undefined);
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
