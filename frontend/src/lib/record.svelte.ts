import type { Agent, Connections, Counts, Failure, Run, RunEvent, Step } from './api';
import { failureOf, type Program } from './bridge';
import { Pages } from './pages.svelte';

/**
 * The newest view of a run, updated by its events. Events are numbered consecutively; after a gap
 * the whole run is loaded.
 */
export class RunRecord {
  run = $state.raw() as Run;
  steps: Pages<Step>;
  failure = $state.raw<Failure | null>(null);

  #program: Program;
  #refetching = false;

  constructor(program: Program, run: Run) {
    this.#program = program;
    this.run = run;
    this.steps = new Pages<Step>(async (from, limit) => {
      const page = await program.api.Steps({ run_id: run.run_id, from, limit });
      return { from: page.from, total: page.total, items: page.steps };
    });
    this.#showSteps(run);
  }

  /** Keeps the newer of two views of the run. Returns whether it is the given one. */
  adopt(run: Run): boolean {
    if (run.run_id !== this.run.run_id || run.seq < this.run.seq) return false;
    const before = this.run;
    this.run = run;
    if (this.steps.items.length !== run.plan.total || before.seq === 0) this.#showSteps(run);
    else this.steps.update(run.plan.steps, (s) => s.index);
    return true;
  }

  #showSteps(run: Run): void {
    this.steps.put({ from: 0, total: Math.max(run.plan.total, run.plan.steps.length), items: run.plan.steps });
  }

  /** Applies one event of this run. */
  hear(e: RunEvent): void {
    if (e.run_id !== this.run.run_id) return;
    if (e.run !== null) return void this.adopt(e.run);
    if (e.seq <= this.run.seq) return;
    if (e.seq > this.run.seq + 1) return void this.#refetch();
    this.steps.update(e.steps, (s) => s.index);
    this.run = { ...this.run, seq: e.seq, ...changed(e.counts, e.connections, e.agent) };
  }

  /** Loads the run again: its last view is outdated, whatever its number. */
  async reload(): Promise<void> {
    try {
      this.run = await this.#program.api.Get(this.run.run_id);
      this.#showSteps(this.run);
    } catch (reason) {
      this.failure = failureOf(reason);
    }
  }

  async #refetch(): Promise<void> {
    if (this.#refetching) return;
    this.#refetching = true;
    try {
      const run = await this.#program.api.Get(this.run.run_id);
      if (this.adopt(run) && run.plan.total > run.plan.steps.length) await this.steps.load(); // the others come as they are looked at
    } catch (reason) {
      this.failure = failureOf(reason);
    } finally {
      this.#refetching = false;
    }
  }
}

function changed(counts: Counts | null, connections: Connections | null, agent: Agent | null): Partial<Run> {
  return { ...(counts && { counts }), ...(connections && { connections }), ...(agent && { agent }) };
}
