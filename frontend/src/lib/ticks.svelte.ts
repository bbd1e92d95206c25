import type { Step } from './api';
import { covered } from './covered';

/** The ticks that destructive steps of a plan have, each as a confirmation of its own. */
export class Ticks {
  #marks = $state.raw<readonly string[]>([]);

  set(step: Step, on: boolean): void {
    const mark = markOf(step);
    this.#marks = on ? [...this.#marks.filter((m) => m !== mark), mark] : this.#marks.filter((m) => m !== mark);
  }

  /** Returns the ids of the steps that have a tick. A tick is for a step as it was shown: an edit takes it away. */
  of(steps: readonly Step[]): string[] {
    return steps.filter((s) => s.needs_confirmation && this.#marks.includes(markOf(s))).map((s) => s.action_id);
  }

  /**
   * Returns how many of `total` steps would run. `steps` are those that are loaded; null as long
   * as others of them may need a tick.
   */
  runs(steps: readonly Step[], total: number, destructive: number): number | null {
    if (destructive > 0 && steps.length < total) return null;
    return covered(steps, this.of(steps)).length + total - steps.length;
  }
}

const markOf = (s: Step): string => JSON.stringify([s.action_id, s.preview, s.args]);
