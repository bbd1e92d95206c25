// All that the window holds, in one place that its parts reach by context.

import { getContext, setContext } from 'svelte';

import { speak } from '../words/words.svelte';
import { Appearance } from './appearance.svelte';
import type { Failure, Fault, Plan, RecipeAsk, SettingChange, Settings } from './api';
import type { Program } from './bridge';
import { Drafts } from './drafts.svelte';
import type { Reach } from './http';
import type { Left } from './left';
import { Live } from './live.svelte';
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
  readonly appearance: Appearance;

  /** What lies over the room. */
  over = $state<'' | 'palette' | 'keys'>('');
  reach = $state<Reach>('here');
  /** How often the program could be reached again: what was asked before then may be old. */
  returned = $state(0);
  /** Why the last change of a setting was not made. */
  refused = $state.raw<Fault[]>([]);
  /** Moves to another step of what is shown; null where there are none. */
  step: ((by: 1 | -1) => void) | null = null;

  constructor(program: Program, appearance: Appearance, language: () => string, left?: Left) {
    this.program = program;
    this.appearance = appearance;
    this.session = new Session(program, language, left);
    this.drafts = new Drafts(program);
    this.recipes = new Recipes(program);
  }

  /** Whether the page is a window of the program's own, which it can close; a tab is the browser's. */
  get own(): boolean {
    return this.program.upload === null;
  }

  async start(): Promise<void> {
    await this.session.start();
    const { boot } = this.session;
    if (!boot) return;
    this.appearance.follow(boot.theme);
    void speak(boot.language, navigator.languages);
    this.drafts.waiting = boot.waiting;
    if (boot.faults.length > 0) return;
    void this.recipes.list.load();
    void this.#comeBack(); // nothing waits for it
  }

  /** Takes in how the program can be reached; after missed events everything is asked anew. */
  reached(now: Reach): void {
    const back = this.reach !== 'here' && now === 'here';
    this.reach = now === 'lost' ? 'here' : now;
    if (now !== 'lost' && !back) return;
    this.returned++;
    void this.start();
  }

  /** Opens the first room with its field ready. */
  goal(): void {
    this.over = '';
    this.router.go('goal');
    this.session.back();
  }

  /** Leaves what is open, the innermost first. */
  back(): void {
    if (this.over !== '') this.over = '';
    else if (!this.router.up()) this.leave();
  }

  /** Leaves the plan or the run that is shown, for what it was made of: a plan of a recipe goes back to its parameters. */
  leave(): void {
    const recipe = this.session.screen === 'plan' ? this.session.plan?.recipe : null;
    this.session.back();
    if (recipe) this.router.go('recipes', recipe.name);
  }

  /** Carries out again what a plan was made of. */
  async again({ text, plan }: { text: string; plan: Plan }): Promise<void> {
    await (plan.recipe ? this.cook(plan.recipe) : this.carryOut(text));
  }

  /** Makes the plan of a recipe, and shows it; where there is none, the recipe's parameters say why. */
  async cook(ask: RecipeAsk): Promise<void> {
    await this.session.cook(ask);
    const { failure } = this.session;
    this.#refuse(ask, failure);
    if (failure) this.router.go('recipes', ask.name);
    else this.router.go('goal');
  }

  /** Shows the plan again that was left when the page was loaded again, in whichever room it is. */
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

  /** Shows a run that an approval or a goal from another room has begun. */
  async carryOut(text: string): Promise<void> {
    this.router.go('goal');
    await this.session.submit(text);
  }

  /** Writes settings; what the window itself follows holds at once. What was not written is in `refused`. */
  async change(changes: SettingChange[]): Promise<Settings> {
    const settings = await this.program.api.ChangeSettings(changes);
    this.refused = settings.faults;
    if (settings.faults.length === 0) this.#follow(settings);
    return settings;
  }

  #follow(settings: Settings): void {
    for (const { key, text } of settings.entries) {
      if (key === 'ui.theme') this.appearance.follow(text);
      if (key === 'ui.language') void speak(text, navigator.languages);
    }
  }
}

const KEY = Symbol('shell');

export const provide = (shell: Shell): Shell => setContext(KEY, shell);
export const shell = (): Shell => getContext<Shell>(KEY);
