// Fills in the parameters of a text, as app/i18n does. app/i18n/testdata/templates.json has examples
// that both are tested with.

export type Value = string | number | readonly (string | number)[];
export type Params = Readonly<Record<string, Value>>;

/** Not printable, as Go's strconv.Quote sees it. */
const HIDDEN = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
const ESCAPES: Record<string, string> = { '\x07': '\\a', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\v': '\\v' };
const SIZES = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Writes texts in one language. */
export class Writer {
  readonly #rules: Intl.PluralRules;

  /** `texts` has the tables [language] and [unit], by code. */
  constructor(
    readonly tag: string,
    private readonly texts: Readonly<Record<string, string>>,
  ) {
    this.#rules = new Intl.PluralRules(tag);
  }

  fill(text: string, params: Params): string {
    let out = '';
    for (;;) {
      const at = text.indexOf('{');
      if (at < 0) return out + text;
      out += text.slice(0, at);
      text = text.slice(at + 1);
      if (text.startsWith('{')) {
        out += '{';
        text = text.slice(1);
        continue;
      }
      const end = endOf(text, '}');
      if (end === text.length) return `${out}{${text}`;
      const hole = text.slice(0, end);
      const [name, how] = cut(hole, '|');
      const value = params[name];
      if (value === undefined) out += `{${hole}}`;
      else if (how.includes(':') && !how.startsWith('join:')) out += this.fill(this.#choose(value, how), params);
      else out += this.#format(value, how);
      text = text.slice(end + 1);
    }
  }

  #format(value: Value, how: string): string {
    if (how.startsWith('join:')) return join(value, how.slice('join:'.length), (one) => this.#value(one));
    switch (how) {
      case 'and':
        return this.#enumerate(value);
      case 'lines':
        return join(value, '\n', (one) => this.#value(one));
      case 'quote':
        return join(value, ', ', (one) => this.#quote(one));
      case 'number':
        return join(value, ', ', (one) => this.#number(one));
      case 'bytes':
      case 'duration':
      case 'span':
      case 'percent':
        return typeof value === 'number' ? this[how](value) : this.#plain(value);
      case 'time':
      case 'date':
      case 'day':
        return this.#clock(this.#plain(value), this.texts[`language.${how}`] ?? '');
    }
    return this.#plain(value);
  }

  #plain(value: Value): string {
    return join(value, ', ', (one) => this.#value(one));
  }

  /** A list as in a sentence: a, b and c. */
  #enumerate(value: Value): string {
    if (typeof value !== 'object' || value.length < 2) return this.#plain(value);
    return this.#plain(value.slice(0, -1)) + (this.texts['language.and'] ?? ', ') + this.#value(value.at(-1)!);
  }

  #value(value: string | number): string {
    return typeof value === 'number' ? this.#decimal(String(value)) : value;
  }

  #quote(value: string | number): string {
    const inner = this.#value(value)
      .replace(/\\/g, '\\\\')
      .replace(HIDDEN, (c) => ESCAPES[c] ?? escaped(c.codePointAt(0)!));
    const [open, close] = (this.texts['language.quote'] ?? '" "').split(' ') as [string, string];
    if (open === '"') return `"${inner.replaceAll('"', '\\"')}"`;
    return open + inner.replaceAll(open, `\\${open}`).replaceAll(close, `\\${close}`) + close;
  }

  #decimal(number: string): string {
    return number.replace('.', this.texts['language.decimal'] ?? '.');
  }

  /** A number with the language's separator of thousands. */
  #number(value: string | number): string {
    const group = this.texts['language.group'] ?? ',';
    return typeof value === 'number' && Number.isInteger(value) ? String(value).replace(/\B(?=(?:\d{3})+$)/g, group) : this.#value(value);
  }

  /** A time (RFC 3339) or a date in a layout of Go's package time. */
  #clock(text: string, layout: string): string {
    const [, year, month, day, hour, minute] = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d).*)?$/.exec(text) ?? [];
    if (!year) return text;
    const name = (list: string, n: number) => (this.texts[`language.${list}`] ?? '').split(' ')[n] ?? '';
    const parts: Record<string, string> = {
      Monday: name('weekdays', new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDay()),
      January: name('months', Number(month) - 1),
      '2006': year,
      '15': hour ?? '00',
      '04': minute ?? '00',
      '2': String(Number(day)),
    };
    return layout.replace(/Monday|January|2006|15|04|2/g, (part) => parts[part]!);
  }

  #choose(value: Value, choices: string): string {
    if (typeof value === 'object') value = value.length;
    const exact = this.#plain(value);
    const category = typeof value === 'number' && Number.isInteger(value) ? this.#rules.select(Math.abs(value)) : undefined;
    let byCategory: string | undefined;
    let last = '';
    while (choices !== '') {
      const end = endOf(choices, '|');
      const [name, text] = cut(choices.slice(0, end), ':');
      if (name === exact) return text;
      if (name === category) byCategory = text;
      last = text;
      choices = choices.slice(end + 1);
    }
    return byCategory ?? last;
  }

  private bytes(n: number): string {
    let unit = 0;
    while (Math.abs(n) >= 1024 && unit < SIZES.length - 1) {
      n /= 1024;
      unit++;
    }
    return this.#unit(SIZES[unit]!, unit === 0 || Math.abs(n) >= 10 ? Math.trunc(n) : Math.round(n * 10) / 10);
  }

  private duration(seconds: number): string {
    if (seconds < 0) return `-${this.duration(-seconds)}`;
    seconds = rounded(seconds);
    if (seconds > 0 && seconds < 1) return seconds < 1e-3 ? this.#unit('us', rounded(seconds * 1e6)) : this.#unit('ms', rounded(seconds * 1e3));
    const parts: [string, number][] = [['h', Math.floor(seconds / 3600)], ['m', Math.floor((seconds % 3600) / 60)], ['s', rounded(seconds % 60)]];
    return this.#units(seconds === 0 ? [['s', 0]] : parts.filter(([, n]) => n > 0));
  }

  /** The two largest units, at least minutes. */
  private span(seconds: number): string {
    const minutes = Math.floor(seconds / 60);
    const all: [string, number][] = [['d', Math.floor(minutes / 1440)], ['h', Math.floor(minutes / 60) % 24], ['m', minutes % 60]];
    const from = all.findIndex(([, n]) => n > 0);
    return this.#units(from < 0 ? [['m', 0]] : all.slice(from, from + 2));
  }

  private percent(n: number): string {
    return this.#unit('percent', Math.round(n));
  }

  #units(parts: [name: string, n: number][]): string {
    return parts.map(([name, n]) => this.#unit(name, n)).join(this.texts['unit.between'] ?? '');
  }

  #unit(name: string, n: number): string {
    return this.fill(this.texts[`unit.${name}`] ?? '{number}', { number: this.#decimal(String(n)), n });
  }
}

function join(value: Value, between: string, write: (one: string | number) => string): string {
  return typeof value === 'object' ? value.map(write).join(between) : write(value);
}

/** Where a character is first, outside of holes; the length if it is not there. */
function endOf(text: string, mark: string): number {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (depth === 0 && text[i] === mark) return i;
    if (text[i] === '{') depth++;
    else if (text[i] === '}') depth--;
  }
  return text.length;
}

function cut(text: string, mark: string): [before: string, after: string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** A number without the errors of binary fractions. */
const rounded = (n: number): number => Number(n.toFixed(9));

function escaped(code: number): string {
  const hex = code.toString(16);
  if (code < 0x80) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
