import type { Answer, Draft, Pair, Run, SetArg } from './api';
import type { Program } from './bridge';
import { Loaded } from './loaded.svelte';
import type { Consent } from './session.svelte';

/** The drafts that wait for approval. The program reports changes of their number. */
export class Drafts {
  waiting = $state(0);
  list: Loaded<Draft[]>;
  /** The latest operation on a draft. */
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
    // A number that arrived meanwhile may be newer than this list.
    if (this.list.value && heard === this.#heard) this.waiting = this.list.value.filter((d) => !d.final).length;
  }

  /** Approves a draft as it was shown. Returns the run. */
  async approve(draft: Draft, consent: Consent): Promise<Run | null> {
    const ask = { draft_id: draft.draft_id, revision: draft.revision, actions: [], ...consent };
    let run: Run | null = null;
    await this.deed.take(async () => (run = await this.#program.api.Approve(ask)));
    await this.load();
    return run;
  }

  /** Applies a draft that is approved. Returns the run. */
  async apply(draft: Draft): Promise<Run | null> {
    let run: Run | null = null;
    await this.deed.take(async () => (run = await this.#program.api.Apply(draft.draft_id)));
    await this.load();
    return run;
  }

  /** Rejects a draft or one of its steps. */
  async deny(draft: Draft, steps: string[] = []): Promise<void> {
    await this.#change(() => this.#program.api.Deny(draft.draft_id, steps));
  }

  async answer(draft: Draft, answer: Answer): Promise<void> {
    await this.#change(() => this.#program.api.AnswerDraft(draft.draft_id, [answer]));
  }

  /** Changes arguments of a step. The draft loses its approval. */
  async edit(draft: Draft, step: string, set: SetArg[]): Promise<void> {
    await this.#change(() => this.#program.api.EditDraft({ draft_id: draft.draft_id, step, set, drop: [] }));
  }

  async #change(act: () => Promise<Draft>): Promise<void> {
    await this.deed.take(act);
    await this.load();
  }
}

/** What a draft waits for. An approval counts until it ends. */
export function waitsFor(draft: Draft, now: number): 'ended' | 'question' | 'apply' | 'approval' {
  if (draft.final) return 'ended';
  if (draft.questions.length > 0) return 'question';
  return draft.approved.length > 0 && now < draft.approved_until ? 'apply' : 'approval';
}

/**
 * Returns the differences between the arguments of a step and the typed ones. An argument without
 * text is removed.
 */
export function changes(args: readonly Pair[], typed: Record<string, string>): SetArg[] {
  return args
    .filter((a) => (typed[a.name] ?? a.value) !== a.value)
    .map((a) => {
      const value = typed[a.name] ?? '';
      return { name: a.name, value, json: isJSON(a.value), remove: value === '' };
    });
}

/** Whether an argument is shown as JSON because it is not a string. */
function isJSON(shown: string): boolean {
  if (!/^(true|false|null|-?\d|\[|\{)/.test(shown)) return false;
  try {
    JSON.parse(shown);
    return true;
  } catch {
    return false;
  }
}
