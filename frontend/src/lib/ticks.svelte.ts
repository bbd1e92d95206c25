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

  /**
   * Returns the number that the user has to type: that of the changes which would be made, 0 for
   * none. `confirm` is the number of a plan in which no step can have a tick.
   */
  count(steps: readonly Step[], confirm: number): number {
    if (!steps.some((s) => s.needs_confirmation)) return confirm;
    const sum = covered(steps, this.of(steps)).reduce((n, s) => n + changes(s), 0);
    return sum < BULK_FROM ? 0 : sum;
  }
}

/** From so many changes on, the user types their number. */
const BULK_FROM = 5;

/** Returns how many changes a step counts as: all that it destroys for good, else one. */
function changes(s: Step): number {
  if (s.read_only) return 0;
  return s.forecast && !s.forecast.reversible ? Math.max(1, s.forecast.count) : 1;
}

const markOf = (s: Step): string => JSON.stringify([s.action_id, s.preview, s.args]);
