import type { Failure, Recipe, RecipeAsk, RecipeParam } from './api';
import { failureOf, type Program } from './bridge';
import { Loaded } from './loaded.svelte';

/** What the program answers where a name is taken. */
const TAKEN = 'recipe_taken';

/** The person's recipes: files of the program's, of which the window only knows what it is told. */
export class Recipes {
  list: Loaded<Recipe[]>;
  /** What was asked of one of them. */
  deed = new Loaded<void>(async () => {});
  /** Why the last one that was to be carried out was not. */
  refused = $state.raw<{ name: string; failure: Failure } | null>(null);

  // What was last given for a recipe's parameters, while the page is open.
  #given: Record<string, Record<string, string>> = {};
  #program: Program;

  constructor(program: Program) {
    this.#program = program;
    this.list = new Loaded(() => program.api.Recipes());
  }

  /** Keeps a run by a name. "taken": there is a recipe of that name, which `replace` would overwrite. Failures are thrown. */
  async save(run_id: string, name: string, replace: boolean): Promise<Recipe | 'taken'> {
    try {
      const made = await this.#program.api.SaveRecipe({ run_id, name, replace });
      void this.list.load();
      return made;
    } catch (reason) {
      if (failureOf(reason).code === TAKEN) return 'taken';
      throw reason;
    }
  }

  async remove(name: string): Promise<void> {
    await this.deed.take(() => this.#program.api.RemoveRecipe(name));
    await this.list.load();
  }

  /** What the parameters of a recipe begin with: what was given last, else their defaults. Secrets are given anew each time. */
  values(recipe: Recipe): Record<string, string> {
    const given = this.#given[recipe.name] ?? {};
    return Object.fromEntries(recipe.params.map((p) => [p.name, (p.type === 'secret' ? null : given[p.name]) ?? start(p)]));
  }

  give({ name, values }: RecipeAsk): void {
    const params = this.list.value?.find((r) => r.name === name)?.params ?? [];
    const told = values.filter((v) => params.every((p) => p.name !== v.name || p.type !== 'secret'));
    this.#given[name] = Object.fromEntries(told.map((v) => [v.name, v.value]));
  }
}

const start = (p: RecipeParam): string => (p.type === 'bool' && p.needed ? 'false' : p.default);

/** Whether the spaces around what is typed for a parameter belong to it. */
const asTyped = (p: RecipeParam): boolean => p.type === 'string' || p.type === 'secret';

/** Whether something that a recipe needs is not given yet. */
export function lacks(recipe: Recipe, typed: Record<string, string>): boolean {
  return recipe.params.some((p) => p.needed && (p.type === 'secret' ? !typed[p.name] : !typed[p.name]?.trim()));
}

/** What is asked of the program: values that are the defaults go without saying. */
export function askFor(recipe: Recipe, typed: Record<string, string>): RecipeAsk {
  const values = recipe.params
    .map((p) => ({ name: p.name, value: asTyped(p) ? (typed[p.name] ?? '') : (typed[p.name] ?? '').trim(), param: p }))
    .filter(({ value, param }) => param.needed || value !== param.default);
  return { name: recipe.name, values: values.map(({ name, value }) => ({ name, value })) };
}

/** A name that a goal's words suggest; "" where they have no Latin letter or digit. */
export function nameFor(text: string): string {
  const words = text.normalize('NFKD').toLowerCase().match(/[a-z0-9]+/g) ?? [];
  let name = words[0]?.slice(0, MAX_NAME) ?? '';
  for (const word of words.slice(1)) {
    if (name.length + 1 + word.length > MAX_NAME) break;
    name += `-${word}`;
  }
  return name;
}

const MAX_NAME = 40; // a proposal that can still be read; the program takes 64

/** Whether a recipe may be called so. */
export const validName = (name: string): boolean => /^[a-z0-9][a-z0-9_-]{0,63}$/.test(name);
