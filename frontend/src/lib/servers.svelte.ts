import type { Server, ServerReview } from './api';
import type { Program } from './bridge';
import { Loaded } from './loaded.svelte';

/** The servers of the Model Context Protocol, and the one that is reviewed. */
export class Servers {
  list: Loaded<Server[]>;
  review: Loaded<ServerReview>;
  deed = new Loaded<void>(async () => {});

  #program: Program;
  #name = '';

  constructor(program: Program) {
    this.#program = program;
    this.list = new Loaded(() => program.api.Servers());
    this.review = new Loaded(() => program.api.ReviewServer(this.#name));
  }

  /** Starts a server or connects to it, and shows what it may use and its tools. */
  async look(name: string): Promise<void> {
    this.#name = name;
    this.review.value = null;
    await this.review.load();
  }

  putAway(): void {
    this.review.value = null;
    this.review.failure = null;
  }

  /** Agrees to what is shown; `reading` are the tools that only read. */
  async agree(reading: string[]): Promise<void> {
    const review = this.review.value;
    if (!review) return;
    if (await this.#do(() => this.#program.api.AgreeServer({ token: review.token, reading }))) this.putAway();
  }

  async withdraw(name: string): Promise<void> {
    await this.#do(() => this.#program.api.WithdrawServer(name));
  }

  async #do(act: () => Promise<void>): Promise<boolean> {
    const done = await this.deed.take(act);
    await this.list.load();
    return done;
  }
}
