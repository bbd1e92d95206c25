// The state of the window, which its parts get from the context.

import { getContext, setContext } from 'svelte';

import { speak, words } from '../words/words.svelte';
import { Appearance } from './appearance.svelte';
import type { Agent, Failure, Problem, Plan, RecipeAsk, SettingChange, Settings } from './api';
import type { Program } from './bridge';
import { Drafts } from './drafts.svelte';
import type { Reach } from './http';
import type { Left } from './left';
import { Live } from './live.svelte';
import { Models } from './model.svelte';
import { Recipes } from './recipes.svelte';
import { Router } from './router.svelte';
import { Session } from './session.svelte';

export class Shell {
  readonly program: Program;
  readonly session: Session;
  readonly drafts: Drafts;
  readonly router = new Router();
  readonly live = new Live();
  readonly recipes: Recipes;
  readonly models: Models;
  readonly appearance: Appearance;

  /** The overlay over the room. */
  over = $state<'' | 'palette' | 'keys'>('');
  reach = $state<Reach>('here');
  /** The number of reconnections. Data loaded before the latest one may be outdated. */
  returned = $state(0);
  /** Why the last change of a setting failed. */
  refused = $state.raw<Problem[]>([]);
  /** Moves to another step on screen; null if there are none. */
  step: ((by: 1 | -1) => void) | null = null;

  constructor(program: Program, appearance: Appearance, left?: Left) {
    this.program = program;
    this.appearance = appearance;
    this.session = new Session(program, left);
    this.drafts = new Drafts(program);
    this.recipes = new Recipes(program);
    this.models = new Models(program);
  }

  /**
   * Whether the page is in the program's own window, which it can close, rather than in a browser
   * tab.
   */
  get own(): boolean {
    return this.program.upload === null;
  }

  async start(): Promise<void> {
    await this.session.start();
    const { boot } = this.session;
    if (!boot) return;
    this.appearance.follow(boot.theme);
    await speak([boot.language]);
    this.drafts.waiting = boot.waiting;
    if (boot.faults.length > 0) return;
    void this.recipes.list.load();
    void this.#comeBack(); // nothing waits for it
  }

  /** Sets the state of the connection. After missed events everything is loaded again. */
  reached(now: Reach): void {
    const back = this.reach !== 'here' && now === 'here';
    this.reach = now === 'lost' ? 'here' : now;
    if (now !== 'lost' && !back) return;
    this.returned++;
    void this.start();
  }

  /** Opens the first room and focuses its field. */
  goal(): void {
    this.over = '';
    this.router.go('goal');
    this.session.back();
  }

  /** Opens the first room, whose field then gives its words to a language model. */
  model(): void {
    this.goal();
    this.models.chosen = true;
    void this.models.load();
  }

  /** Closes the innermost open element. */
  back(): void {
    if (this.over !== '') this.over = '';
    else if (!this.router.up()) this.leave();
  }

  /**
   * Leaves the plan or the run on screen and returns to its source: for a recipe, to its
   * parameters.
   */
  leave(): void {
    const recipe = this.session.screen === 'plan' ? this.session.plan?.recipe : null;
    this.session.back();
    if (recipe) this.router.go('recipes', recipe.name);
  }

  /** Runs the source of a plan again. */
  async again({ text, plan, agent }: { text: string; plan: Plan; agent: Agent | null }): Promise<void> {
    if (agent) {
      this.router.go('goal');
      return this.session.askModel(text);
    }
    await (plan.recipe ? this.cook(plan.recipe) : this.carryOut(text));
  }

  /** Makes and shows the plan of a recipe. If that fails, the recipe's form says why. */
  async cook(ask: RecipeAsk): Promise<void> {
    await this.session.cook(ask);
    const { failure } = this.session;
    this.#refuse(ask, failure);
    if (failure) this.router.go('recipes', ask.name);
    else this.router.go('goal');
  }

  /** Shows the plan that was on screen before a reload, in its room. */
  async #comeBack(): Promise<void> {
    const wish = await this.session.left();
    if (!wish) return;
    await this.session.lookAgain(wish);
    const { failure } = this.session;
    if (!wish.recipe || !failure) return;
    this.#refuse(wish.recipe, failure); // what it is given as a secret is asked for again
    if (this.router.room === 'goal') this.router.go('recipes', wish.recipe.name);
  }

  #refuse(ask: RecipeAsk, failure: Failure | null): void {
    this.recipes.give(ask);
    this.recipes.refused = failure && { name: ask.name, failure };
    this.session.failure = null;
  }

  /** Shows a run that was started by an approval or from another room. */
  async carryOut(text: string): Promise<void> {
    this.router.go('goal');
    await this.session.submit(text);
  }

  /** Writes settings and applies those that affect the window. `refused` has the errors. */
  async change(changes: SettingChange[]): Promise<Settings> {
    const settings = await this.program.api.ChangeSettings(changes);
    this.refused = settings.faults;
    if (settings.faults.length > 0) return settings;
    if (changes.some(({ key }) => key.startsWith('ui.'))) await this.#look();
    return settings;
  }

  /** Takes up theme and language. In another language, everything on screen is loaded again. */
  async #look(): Promise<void> {
    const before = words.t.tag;
    await this.start();
    if (words.t.tag === before) return;
    this.returned++;
    await this.session.reload();
  }
}

const KEY = Symbol('shell');

export const provide = (shell: Shell): Shell => setContext(KEY, shell);
export const shell = (): Shell => getContext<Shell>(KEY);
