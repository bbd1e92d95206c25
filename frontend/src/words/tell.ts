// What the program says, in another language. A sentence of Go has a template,
// which is its name here; the record keeps the sentence alone, as it is redacted,
// so what fills it is read back by that very template. A sentence without a
// translation stays as it is. sentences_test.go holds the templates of the
// program's source against those that are here.

/** Templates as Go writes them ("%s is not there"), each with its words: {1} is the first value, {1|one|few|many} the word that goes with it. */
export type Sayings = Readonly<Record<string, string>>;

/** How a language writes what stands in a sentence. */
export interface Manner {
  /** The form of a word that goes with a number. */
  form: (n: number, ...forms: string[]) => string;
  /** Units of time and size, as the program writes them. */
  units: Readonly<Record<string, string>>;
}

const HOLE = /%(?: x|#?(?:\.\d+)?[a-z%])/g;
const QUOTED = /"(?:[^"\\]|\\.)*"/g;
const LENGTH = /^(?:\d+h)?(?:\d+m)?(?:\d+(?:\.\d+)?(?:µs|ms|s))?$/;
const SIZE = /^\d+(?:\.\d+)? ?(?:B|KiB|MiB|GiB|TiB)$/;
/** What a sentence goes on with. */
const MORE = /^(?:; |, | \(| with )/;
/** A sentence with fewer letters of its own fits a lot: what goes on is looked for before it. */
const FEW = 12;
/** How often sentences stand in one another. */
const DEPTH = 5;
/** Answers that are kept: the same few sentences come again and again. */
const KEPT = 2000;

/** One template, ready to be looked for. */
interface Pattern {
  begins: string;
  /** Of the letters that stand outside of the values. */
  letters: number;
  whole: RegExp;
  /** At the end of another sentence; null: it never stands there. */
  end: RegExp | null;
  verbs: string[];
  words: string;
}

const values: Record<string, string> = { d: '(-?\\d+)', q: '("(?:[^"\\\\]|\\\\.)*"|\\[.*?\\])' };

function pattern(template: string, words: string): Pattern {
  const verbs: string[] = [];
  let source = '';
  let letters = 0;
  let at = 0;
  const plain = (text: string) => {
    source += text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    letters += text.length;
  };
  for (const hole of template.matchAll(HOLE)) {
    plain(template.slice(at, hole.index));
    at = hole.index + hole[0].length;
    const verb = hole[0].at(-1)!;
    if (verb === '%') {
      plain('%');
      continue;
    }
    verbs.push(verb);
    if (verb in values) letters += 2; // it fits less
    source += values[verb] ?? '([^]+?)';
  }
  plain(template.slice(at));
  return {
    begins: template.split(HOLE, 1)[0]!,
    letters,
    whole: new RegExp(`^${source}$`),
    end: MORE.test(template) ? new RegExp(`^([^]+?)${source}$`) : null,
    verbs,
    words,
  };
}

/** The texts within a value of %q: one, or those of a list. */
const texts = (value: string): string[] => (value.match(QUOTED) ?? [value]).map((text) => text.slice(1, -1).replace(/\\(["\\])/g, '$1'));

export class Teller {
  private readonly patterns: Pattern[];
  private readonly said = new Map<string, string>();

  constructor(
    private readonly sayings: Sayings,
    private readonly manner: Manner,
  ) {
    // The one that says most comes first, so that no other takes its place.
    this.patterns = Object.entries(sayings)
      .filter(([template]) => template.includes('%') || MORE.test(template))
      .map(([template, words]) => pattern(template, words))
      .sort((a, b) => b.letters - a.letters);
  }

  /** A sentence of the program in this language; as it is, where it is not known. */
  tell(text: string): string {
    const before = this.said.get(text);
    if (before !== undefined) return before;
    const now = this.say(text, 0) ?? text;
    if (this.said.size >= KEPT) this.said.clear();
    this.said.set(text, now);
    return now;
  }

  private say(text: string, depth: number): string | null {
    if (text === '' || depth > DEPTH) return null;
    const plain = Object.hasOwn(this.sayings, text) ? this.sayings[text] : undefined;
    if (plain !== undefined && !text.includes('%')) return plain;
    return this.whole(text, depth, true) ?? this.longer(text, depth) ?? this.whole(text, depth, false) ?? this.parts(text, '\n', depth) ?? this.parts(text, ': ', depth);
  }

  private whole(text: string, depth: number, wordy: boolean): string | null {
    for (const p of this.patterns) {
      const found = p.letters >= FEW === wordy && text.startsWith(p.begins) ? p.whole.exec(text) : null;
      if (found) return this.fill(p, found.slice(1), depth);
    }
    return null;
  }

  /** A sentence that goes on with another one. */
  private longer(text: string, depth: number): string | null {
    for (const p of this.patterns) {
      const found = p.end?.exec(text);
      if (found) return this.part(found[1]!, depth) + this.fill(p, found.slice(2), depth);
    }
    return null;
  }

  /** A sentence in parts of which at least one is known. */
  private parts(text: string, between: string, depth: number): string | null {
    const at = text.indexOf(between);
    if (at < 0) return null;
    const [head, tail] = [text.slice(0, at), text.slice(at + between.length)];
    const [first, rest] = [this.say(head, depth + 1), this.say(tail, depth + 1)];
    return first === null && rest === null ? null : (first ?? head) + between + (rest ?? tail);
  }

  private part(text: string, depth: number): string {
    return this.say(text, depth + 1) ?? text;
  }

  private fill(p: Pattern, found: string[], depth: number): string {
    return p.words.replace(/\{(\d+)(?:\|([^}]*))?\}/g, (_, nth: string, forms: string | undefined, at: number) => {
      const value = found[Number(nth) - 1] ?? '';
      if (forms !== undefined) return this.manner.form(Number(value), ...forms.split('|'));
      // What stands in quotes is somebody's own words.
      const quotes = at > 0 && /[«"]/.test(p.words[at - 1]!);
      if (p.verbs[Number(nth) - 1] !== 'q') return quotes ? value : this.value(value, depth);
      const quoted = texts(value).join('», «');
      return quotes ? quoted : `«${quoted}»`;
    });
  }

  private value(text: string, depth: number): string {
    if (text !== '' && (LENGTH.test(text) || SIZE.test(text))) return text.replace(/(\d) ?([A-Za-zµ]+)/g, (_, n: string, unit: string) => `${n} ${this.manner.units[unit] ?? unit} `).trim();
    return this.part(text, depth);
  }
}
