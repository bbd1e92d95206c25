/** A goal that the person keeps by a name. {braces} in its text are blanks. */
export interface Recipe {
  name: string;
  text: string;
}

const KEY = 'errand.recipes';

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>;

/** The recipes of this window, by name. They are words, kept as other preferences of the page are. */
export class Recipes {
  list = $state.raw<Recipe[]>([]);

  #storage: Storage | null;

  constructor(storage: Storage | null) {
    this.#storage = storage;
    this.list = read(storage);
  }

  /** Keeps a recipe, in place of `was` where one is changed. Answers what is wrong with it, or "". */
  save(recipe: Recipe, was = ''): '' | 'unnamed' | 'taken' {
    const name = recipe.name.trim();
    const text = recipe.text.trim();
    if (name === '' || text === '') return 'unnamed';
    const others = this.list.filter((r) => r.name !== was);
    if (others.some((r) => r.name.toLowerCase() === name.toLowerCase())) return 'taken';
    this.#write([...others, { name, text }]);
    return '';
  }

  remove(name: string): void {
    this.#write(this.list.filter((r) => r.name !== name));
  }

  #write(list: Recipe[]): void {
    this.list = list.sort((a, b) => a.name.localeCompare(b.name));
    this.#storage?.setItem(KEY, JSON.stringify(this.list));
  }
}

function read(storage: Storage | null): Recipe[] {
  try {
    const found: unknown = JSON.parse(storage?.getItem(KEY) ?? '[]');
    return Array.isArray(found) ? found.filter(isRecipe) : [];
  } catch {
    return [];
  }
}

function isRecipe(value: unknown): value is Recipe {
  const r = value as Partial<Recipe> | null;
  return typeof r?.name === 'string' && typeof r.text === 'string';
}

const BLANK = /\{([^{}]+)\}/g;

/** The names of a recipe's blanks, each once, in their order. */
export function blanks(text: string): string[] {
  return [...new Set([...text.matchAll(BLANK)].map((m) => m[1]!.trim()))];
}

/** The goal with its blanks filled in; one without words stays as it is. */
export function filled(text: string, words: Record<string, string>): string {
  return text.replace(BLANK, (whole, name: string) => words[name.trim()]?.trim() || whole);
}
