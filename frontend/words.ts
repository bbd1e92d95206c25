// Reads the language files of the program, app/i18n/*.toml, for the page: the texts that it shows
// itself, and their TypeScript types.

import type { Plugin } from 'vite';

/** The tables that the page needs: its own, and what numbers are written with. */
const TABLES = /^(?:language|unit|window\.[a-z_]+)\./;

/**
 * Reads a language file: texts by code. The files use a part of TOML: tables of basic strings. The
 * package comment of app/i18n describes them.
 */
export function scan(doc: string): Record<string, string> {
  const texts: Record<string, string> = {};
  let table = '';
  while (doc !== '') {
    let line: string;
    [line, doc] = cut(doc, '\n');
    if (line === '' || line.startsWith('#')) continue;
    if (line.startsWith('[')) {
      table = `${line.slice(1, -1)}.`;
      continue;
    }
    let [key, value] = cut(line, ' = ');
    if (value === '"""') {
      [value, doc] = cut(doc, '"""\n');
      value = `"${value.replace(/\n|\\\\|\\?"/g, (c) => (c === '\n' ? '\\n' : c === '"' ? '\\"' : c))}"`;
    }
    try {
      if (!value.startsWith('"')) throw new SyntaxError();
      texts[table + key] = JSON.parse(value.replaceAll('\t', '\\t')) as string;
    } catch {
      throw new Error(`the text of ${table}${key} is not a basic string: ${value.slice(0, 60)}`);
    }
  }
  return texts;
}

/** What is before and after a separator. */
function cut(text: string, separator: string): [before: string, after: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** The texts of the page in a language file. */
export const pageTexts = (doc: string): Record<string, string> => Object.fromEntries(Object.entries(scan(doc)).filter(([code]) => TABLES.test(code)));

/** Lets the page import language files: their texts, or with "?name" what the language calls itself. */
export function words(): Plugin {
  return {
    name: 'words',
    transform: {
      filter: { id: /\/app\/i18n\/[a-z-]+\.toml(?:\?name)?$/ },
      handler(doc, id) {
        const texts = pageTexts(doc);
        return { code: `export default ${JSON.stringify(id.endsWith('?name') ? texts['language.name'] : texts)}`, moduleType: 'js', map: null };
      },
    },
  };
}

/** How a number is written, and the first plural category. */
const NUMBERS = /^(?:bytes|duration|number|percent|span|one)$/;

/** The type of each parameter: those that need a number say so. */
function params(text: string): string {
  const types = new Map<string, string>();
  for (const [, name, how = ''] of text.replaceAll('{{', '').matchAll(/\{(\w+)\|?(\w*)/g)) {
    types.set(name!, types.get(name!) === 'number' || NUMBERS.test(how) ? 'number' : 'Value');
  }
  return [...types].map(([name, type]) => `${name}: ${type}`).join('; ');
}

/** The TypeScript types of the page's texts, from English. */
export function typesOf(texts: Record<string, string>): string {
  const tables = new Map<string, string[]>();
  for (const [code, text] of Object.entries(texts)) {
    const [, table, key] = /^window\.([a-z_]+)\.(.*)$/.exec(code) ?? [];
    if (!table || !key) continue;
    const given = params(text);
    const name = /^\w+$/.test(key) ? key : `'${key}'`;
    const lines = tables.get(table) ?? [];
    tables.set(table, [...lines, `    ${name}: ${given === '' ? 'string' : `(of: { ${given} }) => string`};`]);
  }
  return `// Generated from app/i18n/en.toml by types.test.ts; do not edit.
// npx vitest run -u src/words

import type { Value } from './template';

/** The texts of the page, by table and key. A text with parameters is a function. */
export interface Texts {
${[...tables].map(([table, lines]) => `  ${table}: {\n${lines.join('\n')}\n  };`).join('\n')}
}
`;
}
