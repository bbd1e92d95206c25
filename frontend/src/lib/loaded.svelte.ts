import type { Failure } from './api';
import { failureOf } from './bridge';

/** The delay before a wait is shown. */
export const SLOW_AFTER_MS = 300;

/** An answer of the program and the state of loading it. */
export class Loaded<T> {
  value = $state.raw<T | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** Loading takes long enough to tell the user. */
  slow = $state(false);
  busy = $state(false);

  #ask: () => Promise<T>;
  #ticket = 0;

  constructor(ask: () => Promise<T>) {
    this.#ask = ask;
  }

  /** Loads again. The old answer stays visible meanwhile. */
  async load(): Promise<void> {
    await this.take(this.#ask);
  }

  /** Replaces the answer by that of another call, such as a change that returns the new state. */
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
