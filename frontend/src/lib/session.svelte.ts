// What the window shows, and the only place that changes it. A session is in
// one of three states: a goal is being typed, a plan waits, a run is shown.

import type { Boot, Failure, Line, Plan, Reading, Run, RunEvent } from './api';
import { failureOf, type Program } from './bridge';

/** How long the typing has to rest before the words are read. */
export const READ_AFTER_MS = 60;

/** More characters than this are no goal, and are not sent to be read. */
export const MAX_GOAL = 2000;

const RECENT = 5;

export class Session {
  boot = $state<Boot | null>(null);
  screen = $state<'goal' | 'plan' | 'run'>('goal');
  text = $state('');
  reading = $state.raw<Reading | null>(null);
  plan = $state.raw<Plan | null>(null);
  run = $state<Run | null>(null);
  failure = $state.raw<Failure | null>(null);
  recent = $state.raw<Line[]>([]);
  /** A plan is being made or a run is about to begin. */
  busy = $state(false);
  stopping = $state(false);
  /** The window was asked to close while a run is active. */
  closing = $state(false);

  #own = $state(''); // id of the newest run that this window began

  /** A run of this window's own is under way; only that can be stopped. */
  active = $derived(this.run?.status === 'running' && this.run.run_id === this.#own);

  #program: Program;
  #ticket = 0; // of the newest request whose answer is still wanted
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(program: Program) {
    this.#program = program;
    program.on('run', (e) => this.hear(e));
    program.on('close_asked', () => (this.closing = true));
  }

  async start(): Promise<void> {
    try {
      this.boot = await this.#program.api.Start();
      if (this.boot.active !== '') this.#adopt(await this.#program.api.Get(this.boot.active)); // the page was loaded again
      await this.#remember();
    } catch (reason) {
      this.failure = failureOf(reason);
    }
  }

  /** Takes in what the field holds and has it read when the typing rests. */
  type(text: string): void {
    this.text = text;
    this.failure = null;
    clearTimeout(this.#timer);
    if (text.trim() === '' || text.length > MAX_GOAL) {
      this.reading = null;
      return;
    }
    this.#timer = setTimeout(() => void this.#read(text), READ_AFTER_MS);
  }

  async #read(text: string): Promise<void> {
    try {
      const reading = await this.#program.api.Read(text);
      if (reading.text === this.text) this.reading = reading;
    } catch {
      this.reading = null; // sending the words will say what is wrong
    }
  }

  /** Makes the plan; a goal that policy lets run goes on at once. */
  async submit(text = this.text): Promise<void> {
    text = text.trim();
    if (text === '' || text.length > MAX_GOAL || this.busy || this.active) return;
    this.text = text;
    const ticket = this.#begin();
    try {
      const plan = await this.#program.api.Plan(text);
      if (ticket !== this.#ticket) return;
      this.plan = plan;
      if (plan.gate === 'runs') await this.#carryOut(text, '', ticket);
      else this.screen = 'plan';
    } catch (reason) {
      if (ticket === this.#ticket) this.failure = failureOf(reason);
    } finally {
      if (ticket === this.#ticket) this.busy = false;
    }
  }

  /** Runs the plan that is shown; the approval holds for that plan alone. */
  async approve(): Promise<void> {
    const plan = this.plan;
    if (this.screen !== 'plan' || plan?.gate !== 'asks' || this.busy) return;
    const ticket = this.#begin();
    try {
      await this.#carryOut(plan.text, plan.digest, ticket);
    } catch (reason) {
      if (ticket === this.#ticket) this.failure = failureOf(reason);
    } finally {
      if (ticket === this.#ticket) this.busy = false;
    }
  }

  async #carryOut(text: string, approved: string, ticket: number): Promise<void> {
    this.run = null;
    this.stopping = false;
    const run = await this.#program.api.Run(text, approved);
    if (ticket === this.#ticket) this.#adopt(run);
  }

  #begin(): number {
    this.busy = true;
    this.failure = null;
    clearTimeout(this.#timer);
    return ++this.#ticket;
  }

  /** Takes the newer of two views of a run of this window's own. */
  #adopt(run: Run): void {
    if (this.run?.run_id === run.run_id && this.run.seq > run.seq) return;
    this.run = run;
    this.#own = run.run_id;
    this.text = run.text;
    this.screen = 'run';
    if (run.status !== 'running') {
      this.stopping = false;
      this.closing = false;
      void this.#remember();
    }
  }

  /** Takes in one event of a run; after a gap it asks for the whole. */
  hear(e: RunEvent): void {
    const expected = this.run === null ? this.busy && e.run !== null : this.run.run_id === e.run_id;
    if (!expected) return;
    if (e.run !== null) return this.#adopt(e.run);
    const run = this.run;
    if (run === null || e.seq <= run.seq) return;
    if (e.seq > run.seq + 1) return void this.#refetch(e.run_id);
    run.seq = e.seq;
    if (e.step !== null) {
      const at = run.plan.steps.findIndex((s) => s.id === e.step?.id);
      if (at >= 0) run.plan.steps[at] = e.step;
    }
    if (e.connections !== null) run.connections = e.connections;
  }

  async #refetch(id: string): Promise<void> {
    try {
      const run = await this.#program.api.Get(id);
      if (this.run?.run_id === id) this.#adopt(run);
    } catch (reason) {
      this.failure = failureOf(reason);
    }
  }

  /** Shows a run of the past. */
  async open(id: string): Promise<void> {
    const ticket = this.#begin();
    try {
      const run = await this.#program.api.Get(id);
      if (ticket !== this.#ticket) return;
      this.run = run;
      this.text = run.text;
      this.screen = 'run';
    } catch (reason) {
      if (ticket === this.#ticket) this.failure = failureOf(reason);
    } finally {
      if (ticket === this.#ticket) this.busy = false;
    }
  }

  /** Interrupts the run; its last event says that nothing is left of it. */
  async stop(): Promise<void> {
    if (!this.active) return;
    this.stopping = true;
    await this.#call((api) => api.Stop());
  }

  /** Goes back to the goal, with its words kept to be changed. A run that is active stays. */
  back(): void {
    if (this.active || this.screen === 'goal') return;
    this.#ticket++;
    this.busy = false;
    this.failure = null;
    this.plan = null;
    this.run = null;
    this.screen = 'goal';
    this.type(this.text);
  }

  /** Answers a question: goes back to the goal with the answer added to its words. */
  reword(answer: string): void {
    this.back();
    this.type(`${this.text} ${answer}`);
  }

  /** Closes the window; with `stop` also where that ends a run. */
  async close(stop: boolean): Promise<void> {
    this.closing = false;
    await this.#call((api) => api.Close(stop));
  }

  async #call(act: (api: Program['api']) => Promise<void>): Promise<void> {
    try {
      await act(this.#program.api);
    } catch (reason) {
      this.failure = failureOf(reason);
    }
  }

  async #remember(): Promise<void> {
    if (this.boot === null || this.boot.faults.length > 0) return;
    try {
      this.recent = await this.#program.api.Recent(RECENT);
    } catch {
      this.recent = []; // a list of the past is no reason to disturb
    }
  }
}
