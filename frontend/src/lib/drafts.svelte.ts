import type { Answer, Draft, Run } from './api';
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

  constructor(program: Program) {
    this.#program = program;
    this.list = new Loaded(() => program.api.Drafts(false));
    this.deed = new Loaded<Draft | Run>(() => Promise.reject(new Error('nothing was asked')));
    program.on('waiting', (e) => {
      this.waiting = e.waiting;
      void this.list.load();
    });
  }

  async load(): Promise<void> {
    await this.list.load();
    if (this.list.value) this.waiting = this.list.value.filter((d) => !d.final).length;
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

  async #change(act: () => Promise<Draft>): Promise<void> {
    await this.deed.take(act);
    await this.load();
  }
}
