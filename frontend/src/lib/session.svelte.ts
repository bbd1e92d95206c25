// The goal, its plan and its run, as the first room shows them. Only this module changes them. A
// session has one of three states: the user types a goal, a plan waits for approval, or a run is
// shown.

import { systemLanguages } from '../words/words.svelte';
import type { AllowAsk, Answer, Boot, Completion, Failure, Goal, Line, Plan, Reading, RecipeAsk, Run, RunAsk, RunEvent, Scope, Wish as Asked } from './api';
import { failureOf, type Program } from './bridge';
import { leftHere, type Left } from './left';
import { RunRecord } from './record.svelte';
import { isGoal } from './said';

/** The pause in typing after which the goal is read. */
export const READ_AFTER_MS = 60;

/** Longer texts are not goals and are not sent. */
export const MAX_GOAL = 2000;

const LATELY = 5; // runs under the field
const REMEMBERED = 200; // goals that ↑ goes through
const OFFERED = 6; // completions

/** The code of an approval that came too late because the plan has changed. */
const CHANGED = 'plan_changed';

/** What the user approved in addition to the plan. */
export interface Consent {
  scope: Scope['scope'];
  confirm: number;
  /** The steps that have a confirmation of their own. */
  confirmed: string[];
}

/** What to run: a goal, or a recipe with values for its parameters. */
type Wish = { goal: Goal } | { recipe: RecipeAsk };

const NO_GOAL: Goal = { text: '', answers: [], voice: null };

export class Session {
  boot = $state.raw<Boot | null>(null);
  screen = $state<'goal' | 'plan' | 'run'>('goal');
  text = $state('');
  reading = $state.raw<Reading | null>(null);
  completions = $state.raw<Completion[]>([]);
  plan = $state.raw<Plan | null>(null);
  record = $state.raw<RunRecord | null>(null);
  failure = $state.raw<Failure | null>(null);
  recent = $state.raw<Line[]>([]);
  /** A plan is being made or a run is starting. */
  busy = $state(false);
  stopping = $state(false);
  /** The user tried to close the window during a run. */
  closing = $state(false);

  run = $derived<Run | null>(this.record?.run ?? null);

  /** The plan on screen waits for approval or an answer. */
  asks = $derived(this.screen === 'plan' && ['asks', 'runs', 'question'].includes(this.plan?.gate ?? ''));

  /** A run is in progress. */
  active = $derived(this.run?.status === 'running');

  #history = $state.raw<Line[]>([]);

  /** Past goals without duplicates, the newest first. */
  past = $derived([...new Set(this.#history.map((l) => l.text).filter(isGoal))]);

  #program: Program;
  #left: Left;
  #ticket = 0; // of the newest request whose answer is still wanted
  #heard: Run | null = null; // the whole run of the newest event that had one
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(program: Program, left: Left = leftHere()) {
    this.#program = program;
    this.#left = left;
    program.on('run', (e) => this.hear(e));
    program.on('close_asked', () => (this.closing = true));
  }

  /** Loads the program's state, at the start and after a reconnection. */
  async start(): Promise<void> {
    try {
      const boot = await this.#program.api.Start(systemLanguages());
      if (this.boot === null) this.failure = null; // of the start before this one
      this.boot = boot;
      const shown = this.active ? this.run!.run_id : '';
      if (boot.active !== '') this.#adopt(await this.#program.api.Get(boot.active)); // the page was loaded again
      else if (shown !== '') await this.#missed(shown);
      void this.remember(); // nothing waits for what ran lately
    } catch (reason) {
      this.failure = failureOf(reason);
    }
  }

  /**
   * Shows the end of a run that was missed. Its last known state is outdated, whatever its number.
   */
  async #missed(id: string): Promise<void> {
    const run = await this.#program.api.Get(id);
    if (this.run?.run_id !== id || !this.active) return;
    this.record = null;
    this.#adopt(run);
  }

  /** Loads again what is on screen. A plan is made again, and is shown even if it could run. */
  async reload(): Promise<void> {
    if (this.screen === 'plan' && this.plan) return this.#ask(wishOf(this.plan), true);
    if (this.screen === 'goal' || !this.run) return this.type(this.text);
    try {
      const run = await this.#program.api.Get(this.run.run_id);
      if (this.run?.run_id !== run.run_id) return;
      this.record = null;
      this.#adopt(run);
    } catch (reason) {
      this.failure = failureOf(reason);
    }
  }

  /** Returns the source of the plan that was shown before a reload; null if there was none. */
  async left(): Promise<Asked | null> {
    const key = this.#left.get();
    if (key === '' || this.plan !== null || this.busy || this.screen !== 'goal') return null;
    this.#left.set('');
    try {
      const wish = await this.#program.api.WishOf(key);
      return wish.goal || wish.recipe ? wish : null;
    } catch {
      return null; // a help that is missing disturbs nobody
    }
  }

  /**
   * Makes a plan again and shows it, even if policy would let it run: the user was looking at it.
   */
  async lookAgain({ goal, recipe }: Asked): Promise<void> {
    if (recipe) await this.#ask({ recipe }, true);
    else if (goal) await this.#ask({ goal }, true);
  }

  /** Sets the text of the field. Reads and completes it after a pause in typing. */
  type(text: string): void {
    this.text = text;
    this.failure = null;
    clearTimeout(this.#timer);
    if (text.trim() === '' || text.length > MAX_GOAL) {
      this.reading = null;
      this.completions = [];
      return;
    }
    this.#timer = setTimeout(() => {
      void this.#read(text);
      void this.#complete(text);
    }, READ_AFTER_MS);
  }

  async #read(text: string): Promise<void> {
    try {
      const reading = await this.#program.api.Read(text);
      if (reading.text === this.text) this.reading = reading;
    } catch {
      if (text === this.text) this.reading = null; // sending the words will say what is wrong
    }
  }

  async #complete(text: string): Promise<void> {
    try {
      const found = await this.#program.api.Complete({ text, limit: OFFERED });
      if (text === this.text) this.completions = found.filter((c) => c.text !== text.trim());
    } catch {
      if (text === this.text) this.completions = []; // a help that is missing disturbs nobody
    }
  }

  /** Makes the plan. If policy allows it, the plan runs immediately. */
  async submit(text = this.text): Promise<void> {
    if (text.trimStart().startsWith('{')) return this.heard(text); // no goal begins so
    await this.#ask({ goal: { ...NO_GOAL, text: text.trim() } });
  }

  /**
   * Makes the plan of a spoken goal, as transcribed by a program. It never runs without approval.
   */
  async heard(transcript: string): Promise<void> {
    if (this.busy || this.active) return;
    this.failure = null;
    try {
      const voice = await this.#program.api.ReadTranscript(transcript);
      await this.#ask({ goal: { ...NO_GOAL, text: voice.transcript, voice } });
    } catch (reason) {
      this.failure = failureOf(reason);
    }
  }

  /**
   * Gives a task to a language model. The words are sent: only a button or a field that says where
   * they go may call it.
   */
  async askModel(text = this.text): Promise<void> {
    const task = text.trim();
    if (task === '' || task.length > MAX_GOAL) return;
    this.text = text;
    await this.#continue(() => this.#program.api.AskModel({ text: task, provider: '' }));
  }

  /** Goes on with a run of a language model. */
  async goOn(run: Run): Promise<void> {
    await this.#continue(() => this.#program.api.ContinueRun(run.run_id));
  }

  async #continue(begin: () => Promise<Run>): Promise<void> {
    if (this.busy || this.active) return;
    const ticket = this.#begin();
    try {
      const run = await begin();
      if (ticket === this.#ticket) this.follow(run);
    } catch (reason) {
      if (ticket === this.#ticket) this.failure = failureOf(reason);
    } finally {
      if (ticket === this.#ticket) this.busy = false;
    }
  }

  /** Makes the plan of a recipe, which is then like any other plan. */
  async cook(recipe: RecipeAsk): Promise<void> {
    await this.#ask({ recipe });
  }

  // With `look` the plan is shown even if it could run immediately: the user was looking at it.
  async #ask(wish: Wish, look = false): Promise<void> {
    if (this.busy || this.active) return;
    if ('goal' in wish) {
      const { text } = wish.goal;
      if (text === '' || text.length > MAX_GOAL) return;
      this.text = text;
    }
    const ticket = this.#begin();
    try {
      const { api } = this.#program;
      const plan = await ('recipe' in wish ? api.PlanRecipe(wish.recipe) : api.Plan(wish.goal));
      if (ticket !== this.#ticket) return;
      this.plan = plan;
      if (plan.gate === 'runs' && !look && plan.voice === null) await this.#carryOut(wish, { approved: '', scope: 'once', confirm: 0, confirmed: [] }, ticket);
      else this.#show(plan);
    } catch (reason) {
      if (ticket === this.#ticket) this.failure = failureOf(reason);
    } finally {
      if (ticket === this.#ticket) this.busy = false;
    }
  }

  /** Runs the plan on screen. The approval is for that plan only. */
  async approve(consent: Consent): Promise<void> {
    const plan = this.plan;
    if (this.screen !== 'plan' || !plan || !(plan.gate === 'asks' || plan.gate === 'runs') || this.busy) return;
    const ticket = this.#begin();
    try {
      const approved = plan.gate === 'asks' ? plan.digest : '';
      await this.#carryOut(wishOf(plan), { approved, ...consent }, ticket);
    } catch (reason) {
      if (ticket !== this.#ticket) return;
      const failure = failureOf(reason);
      this.busy = false;
      this.#left.set(plan.key);
      if (failure.code === CHANGED) await this.#ask(wishOf(plan), true);
      this.failure ??= failure;
    } finally {
      if (ticket === this.#ticket) this.busy = false;
    }
  }

  /** Answers a question of the plan on screen and makes the plan again. */
  async answer(answer: Answer): Promise<void> {
    if (this.screen !== 'plan' || !this.plan) return;
    const goal = goalOf(this.plan);
    await this.#ask({ goal: { ...goal, answers: [...goal.answers.filter((a) => a.id !== answer.id), answer] } });
  }

  /** Allows a host as the user chose and evaluates the plan on screen again. */
  async allow(ask: AllowAsk): Promise<void> {
    if (this.screen !== 'plan' || !this.plan || this.busy) return;
    try {
      await this.#program.api.AllowHost(ask);
      await this.#ask(wishOf(this.plan), true);
    } catch (reason) {
      this.failure = failureOf(reason);
    }
  }

  async #carryOut(wish: Wish, yes: Omit<RunAsk, 'goal'>, ticket: number): Promise<void> {
    this.record = null;
    this.stopping = false;
    this.#left.set(''); // from here on it may have been carried out
    const { api } = this.#program;
    const run = await ('recipe' in wish ? api.RunRecipe(wish.recipe, { goal: NO_GOAL, ...yes }) : api.Run({ goal: wish.goal, ...yes }));
    if (ticket === this.#ticket) this.#adopt(run);
  }

  #show(plan: Plan): void {
    this.screen = 'plan';
    this.#left.set(plan.key);
  }

  #begin(): number {
    this.busy = true;
    this.failure = null;
    this.completions = [];
    clearTimeout(this.#timer);
    return ++this.#ticket;
  }

  /** Shows a run that was started elsewhere in this window, such as from an approved draft. */
  follow(run: Run): void {
    this.#ticket++;
    this.busy = false;
    this.stopping = false;
    this.record = null;
    this.#adopt(run);
    if (this.#heard?.run_id === run.run_id) this.#adopt(this.#heard); // it was over before the call that began it answered
  }

  /** Keeps the newer of two views of a run of this window. */
  #adopt(run: Run): void {
    if (this.record?.run.run_id !== run.run_id) this.record = new RunRecord(this.#program, run);
    else if (!this.record.adopt(run)) return;
    this.text = isGoal(run.text) ? run.text : '';
    this.screen = 'run';
    this.#left.set('');
    this.#settle();
  }

  #settle(): void {
    if (this.run?.status === 'running') return;
    this.stopping = false;
    this.closing = false;
    void this.remember();
  }

  /** Applies one event of a run. */
  hear(e: RunEvent): void {
    if (e.run !== null) this.#heard = e.run;
    if (this.record === null) {
      if (this.busy && e.run !== null) this.#adopt(e.run); // it may come before the call that began it answers
      return;
    }
    if (this.record.run.run_id !== e.run_id) return;
    const before = this.record.run.status;
    this.record.hear(e);
    if (before === 'running') this.#settle();
  }

  /** Interrupts the run. Its last event says that nothing remains of it. */
  async stop(): Promise<void> {
    if (!this.active) return;
    this.stopping = true;
    await this.#call((api) => api.Stop());
  }

  /** Returns to the goal and keeps its text for editing. An active run continues. */
  back(): void {
    if (this.active || this.screen === 'goal') return;
    this.#ticket++;
    this.busy = false;
    this.failure = null;
    this.plan = null;
    this.record = null;
    this.screen = 'goal';
    this.#left.set('');
    this.type(this.text);
  }

  /** Returns to the goal with another text. */
  reword(text: string): void {
    this.back();
    this.type(text);
  }

  /** Closes the window; with `stop` even if that interrupts a run. */
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

  /** Loads the latest runs. */
  async remember(): Promise<void> {
    if (this.boot === null || this.boot.faults.length > 0) return;
    try {
      const { runs } = await this.#program.api.Runs({ query: '', status: '', from: 0, limit: REMEMBERED });
      this.#history = runs;
      this.recent = runs.slice(0, LATELY);
    } catch {
      this.recent = []; // a list of the past is no reason to disturb
    }
  }
}

function goalOf(plan: Plan): Goal {
  return { text: plan.text, answers: plan.answers, voice: plan.voice };
}

const wishOf = (plan: Plan): Wish => (plan.recipe ? { recipe: plan.recipe } : { goal: goalOf(plan) });
