// Translates the program's messages. Each message of the Go source has a template, which is its key
// here. Records contain only the redacted message, so the template is used to find its values
// again. A message without a translation stays as it is. sentences_test.go compares the templates
// of the source with those here.

/**
 * Templates as written in Go ("%s is not there") with their translations: {1} is the first value,
 * {1|one|few|many} the noun that agrees with it.
 */
export type Sayings = Readonly<Record<string, string>>;

/** Grammar and units of a language. */
export interface Manner {
  /** The form of a noun for a number. */
  form: (n: number, ...forms: string[]) => string;
  /** Units of time and size, as the program writes them. */
  units: Readonly<Record<string, string>>;
}

const HOLE = /%(?: x|#?(?:\.\d+)?[a-z%])/g;
const QUOTED = /"(?:[^"\\]|\\.)*"/g;
const LENGTH = /^(?:\d+h)?(?:\d+m)?(?:\d+(?:\.\d+)?(?:µs|ms|s))?$/;
const SIZE = /^\d+(?:\.\d+)? ?(?:B|KiB|MiB|GiB|TiB)$/;
/** Text that may follow a message. */
const MORE = /^(?:; |, | \(| with )/;
/** A message with fewer fixed letters matches too much, so its continuation is looked for first. */
const FEW = 12;
/** How deep messages may be nested. */
const DEPTH = 5;
/** The number of cached translations: the same messages are shown repeatedly. */
const KEPT = 2000;

/** A compiled template. */
interface Pattern {
  begins: string;
  /** The number of letters outside the values. */
  letters: number;
  whole: RegExp;
  /** Matches it at the end of another message; null if it never is there. */
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

/** The strings in a value of %q: one, or those of a list. */
const texts = (value: string): string[] => (value.match(QUOTED) ?? [value]).map((text) => text.slice(1, -1).replace(/\\(["\\])/g, '$1'));

export class Teller {
  private readonly patterns: Pattern[];
  private readonly said = new Map<string, string>();

  constructor(
    private readonly sayings: Sayings,
    private readonly manner: Manner,
  ) {
    // The most specific one comes first.
    this.patterns = Object.entries(sayings)
      .filter(([template]) => template.includes('%') || MORE.test(template))
      .map(([template, words]) => pattern(template, words))
      .sort((a, b) => b.letters - a.letters);
  }

  /** Returns a message in this language, or unchanged if there is no translation. */
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

  /** A message that continues with another one. */
  private longer(text: string, depth: number): string | null {
    for (const p of this.patterns) {
      const found = p.end?.exec(text);
      if (found) return this.part(found[1]!, depth) + this.fill(p, found.slice(2), depth);
    }
    return null;
  }

  /** A message in several parts, at least one of which is known. */
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
      // Text in quotes is a user's or page's own.
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
