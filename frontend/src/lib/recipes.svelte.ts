import type { Failure, Recipe, RecipeAsk, RecipeParam } from './api';
import { failureOf, type Program } from './bridge';
import { Loaded } from './loaded.svelte';

/** The program's code for a name that is taken. */
const TAKEN = 'recipe_taken';

/** The user's recipes. The program stores them as files; the window only has their views. */
export class Recipes {
  list: Loaded<Recipe[]>;
  /** The latest operation on a recipe. */
  deed = new Loaded<void>(async () => {});
  /** Why the latest recipe could not run. */
  refused = $state.raw<{ name: string; failure: Failure } | null>(null);

  // The last values of the recipes' parameters, until the page is closed.
  #given: Record<string, Record<string, string>> = {};
  #program: Program;

  constructor(program: Program) {
    this.#program = program;
    this.list = new Loaded(() => program.api.Recipes());
  }

  /**
   * Saves a run as a recipe. Returns "taken" if a recipe has that name; `replace` overwrites it.
   * Throws failures.
   */
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

  /**
   * The initial values of a recipe's parameters: the last ones, else the defaults. Secrets are
   * always empty.
   */
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

/** Whether spaces around a parameter's value are significant. */
const asTyped = (p: RecipeParam): boolean => p.type === 'string' || p.type === 'secret';

/** Whether a required parameter has no value yet. */
export function lacks(recipe: Recipe, typed: Record<string, string>): boolean {
  return recipe.params.some((p) => p.needed && (p.type === 'secret' ? !typed[p.name] : !typed[p.name]?.trim()));
}

/** The request to the program, without values that equal the defaults. */
export function askFor(recipe: Recipe, typed: Record<string, string>): RecipeAsk {
  const values = recipe.params
    .map((p) => ({ name: p.name, value: asTyped(p) ? (typed[p.name] ?? '') : (typed[p.name] ?? '').trim(), param: p }))
    .filter(({ value, param }) => param.needed || value !== param.default);
  return { name: recipe.name, values: values.map(({ name, value }) => ({ name, value })) };
}

/** Suggests a name from the words of a goal; "" if they have no Latin letter or digit. */
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

/** Whether a name is valid for a recipe. */
export const validName = (name: string): boolean => /^[a-z0-9][a-z0-9_-]{0,63}$/.test(name);
