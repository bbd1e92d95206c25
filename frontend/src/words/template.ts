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
      const end = text.indexOf('}');
      if (end < 0) return `${out}{${text}`;
      const hole = text.slice(0, end);
      const bar = hole.indexOf('|');
      const value = params[bar < 0 ? hole : hole.slice(0, bar)];
      out += value === undefined ? `{${hole}}` : this.#format(value, bar < 0 ? '' : hole.slice(bar + 1));
      text = text.slice(end + 1);
    }
  }

  #format(value: Value, how: string): string {
    switch (how) {
      case '':
        return join(value, ', ', (one) => this.#value(one));
      case 'lines':
        return join(value, '\n', (one) => this.#value(one));
      case 'quote':
        return join(value, ', ', (one) => this.#quote(one));
      case 'number':
        return join(value, ', ', (one) => this.#number(one));
      case 'bytes':
        return typeof value === 'number' ? this.#bytes(value) : String(value);
      case 'duration':
        return typeof value === 'number' ? this.#duration(value) : String(value);
    }
    return this.#choose(value, how);
  }

  #value(value: string | number): string {
    return typeof value === 'number' ? this.#decimal(String(value)) : value;
  }

  #quote(value: string | number): string {
    const inner = this.#value(value)
      .replace(/\\/g, '\\\\')
      .replace(HIDDEN, (c) => ESCAPES[c] ?? escaped(c.codePointAt(0)!));
    const [open, close] = (this.texts['language.quote'] ?? '" "').split(' ') as [string, string];
    return open === '"' ? `"${inner.replaceAll('"', '\\"')}"` : open + inner + close;
  }

  #decimal(number: string): string {
    return number.replace('.', this.texts['language.decimal'] ?? '.');
  }

  /** A number with the language's separator of thousands. */
  #number(value: string | number): string {
    const group = this.texts['language.group'] ?? ',';
    return typeof value === 'number' && Number.isInteger(value) ? String(value).replace(/\B(?=(?:\d{3})+$)/g, group) : this.#value(value);
  }

  #choose(value: Value, choices: string): string {
    const exact = join(value, ', ', (one) => this.#value(one));
    const category = typeof value === 'number' && Number.isInteger(value) ? this.#rules.select(Math.abs(value)) : '';
    let byCategory: string | undefined;
    let last = '';
    for (const choice of choices.split('|')) {
      const colon = choice.indexOf(':');
      const name = colon < 0 ? choice : choice.slice(0, colon);
      last = colon < 0 ? '' : choice.slice(colon + 1);
      if (name === exact) return last;
      if (name === category) byCategory = last;
    }
    return byCategory ?? last;
  }

  #bytes(n: number): string {
    let unit = 0;
    while (Math.abs(n) >= 1024 && unit < SIZES.length - 1) {
      n /= 1024;
      unit++;
    }
    const text = unit === 0 || n >= 10 ? String(Math.floor(n)) : n.toFixed(1);
    return this.#unit(SIZES[unit]!, this.#decimal(text.replace(/\.0$/, '')), Math.trunc(n));
  }

  #duration(seconds: number): string {
    const rounded = Math.round(seconds * 1e9) / 1e9;
    if (rounded === 0) return this.#unit('s', '0', 0);
    if (rounded < 1e-3) return this.#unit('us', this.#decimal(digits(rounded * 1e6)), 2);
    if (rounded < 1) return this.#unit('ms', this.#decimal(digits(rounded * 1e3)), 2);
    const [h, m] = [Math.floor(rounded / 3600), Math.floor((rounded % 3600) / 60)];
    const s = Number(digits(rounded - h * 3600 - m * 60));
    const parts: string[] = [];
    if (h > 0) parts.push(this.#unit('h', String(h), h));
    if (m > 0) parts.push(this.#unit('m', String(m), m));
    if (s > 0) parts.push(this.#unit('s', this.#decimal(String(s)), Math.trunc(s)));
    return parts.join(this.texts['unit.between'] ?? '');
  }

  #unit(name: string, number: string, n: number): string {
    return this.fill(this.texts[`unit.${name}`] ?? '{number}', { number, n });
  }
}

function join(value: Value, between: string, write: (one: string | number) => string): string {
  return typeof value === 'object' ? value.map(write).join(between) : write(value);
}

/** A number without the errors of binary fractions. */
const digits = (n: number): string => String(Number(n.toFixed(9)));

function escaped(code: number): string {
  const hex = code.toString(16);
  if (code < 0x80) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
