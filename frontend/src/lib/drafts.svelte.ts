import type { Answer, Draft, Pair, Run, SetArg } from './api';
import type { Program } from './bridge';
import { Loaded } from './loaded.svelte';
import type { Consent } from './session.svelte';

/** The drafts that wait for the person. The program says when their number changes. */
export class Drafts {
  waiting = $state(0);
  list: Loaded<Draft[]>;
  /** What was asked of one of them. */
  deed: Loaded<Draft | Run>;

  #program: Program;
  #heard = 0;

  constructor(program: Program) {
    this.#program = program;
    this.list = new Loaded(() => program.api.Drafts(false));
    this.deed = new Loaded<Draft | Run>(() => Promise.reject(new Error('nothing was asked')));
    program.on('waiting', (e) => {
      this.#heard++;
      this.waiting = e.waiting;
      void this.list.load();
    });
  }

  async load(): Promise<void> {
    const heard = this.#heard;
    await this.list.load();
    // What was heard meanwhile may be newer than this list.
    if (this.list.value && heard === this.#heard) this.waiting = this.list.value.filter((d) => !d.final).length;
  }

  /** Approves a draft as it was shown; answers the run that begins. */
  async approve(draft: Draft, consent: Consent): Promise<Run | null> {
    const ask = { draft_id: draft.draft_id, revision: draft.revision, actions: [], ...consent };
    let run: Run | null = null;
    await this.deed.take(async () => (run = await this.#program.api.Approve(ask)));
    await this.load();
    return run;
  }

  /** Says no to a draft, or to one of its steps. */
  async deny(draft: Draft, steps: string[] = []): Promise<void> {
    await this.#change(() => this.#program.api.Deny(draft.draft_id, steps));
  }

  async answer(draft: Draft, answer: Answer): Promise<void> {
    await this.#change(() => this.#program.api.AnswerDraft(draft.draft_id, [answer]));
  }

  /** Changes arguments of a step. What was approved of the draft is approved no longer. */
  async edit(draft: Draft, step: string, set: SetArg[]): Promise<void> {
    await this.#change(() => this.#program.api.EditDraft({ draft_id: draft.draft_id, step, set, drop: [] }));
  }

  async #change(act: () => Promise<Draft>): Promise<void> {
    await this.deed.take(act);
    await this.load();
  }
}

/** What differs between the arguments of a step and what was typed for them. A name without words is taken out. */
export function changes(args: readonly Pair[], typed: Record<string, string>): SetArg[] {
  return args
    .filter((a) => (typed[a.name] ?? a.value) !== a.value)
    .map((a) => {
      const value = typed[a.name] ?? '';
      return { name: a.name, value, json: isJSON(a.value), remove: value === '' };
    });
}

/** Whether an argument is shown as JSON because it is no text. */
function isJSON(shown: string): boolean {
  if (!/^(true|false|null|-?\d|\[|\{)/.test(shown)) return false;
  try {
    JSON.parse(shown);
    return true;
  } catch {
    return false;
  }
}
