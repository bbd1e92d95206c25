import type { Failure } from './api';
import { failureOf } from './bridge';

/** How long a wait stays unsaid. */
export const SLOW_AFTER_MS = 300;

/** One answer of the program, and how the waiting for it stands. */
export class Loaded<T> {
  value = $state.raw<T | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** The answer takes so long that the person is told. */
  slow = $state(false);
  busy = $state(false);

  #ask: () => Promise<T>;
  #ticket = 0;

  constructor(ask: () => Promise<T>) {
    this.#ask = ask;
  }

  /** Asks anew; what was there stays in sight until the answer comes. */
  async load(): Promise<void> {
    await this.take(this.#ask);
  }

  /** Takes the answer of another call in its place, as a change answers with what holds now. */
  async take(ask: () => Promise<T>): Promise<boolean> {
    const ticket = ++this.#ticket;
    this.busy = true;
    this.failure = null;
    const timer = setTimeout(() => (this.slow = true), SLOW_AFTER_MS);
    try {
      const value = await ask();
      if (ticket === this.#ticket) this.value = value;
      return true;
    } catch (reason) {
      if (ticket === this.#ticket) this.failure = failureOf(reason);
      return false;
    } finally {
      clearTimeout(timer);
      if (ticket === this.#ticket) {
        this.busy = false;
        this.slow = false;
      }
    }
  }
}
