import { describe, expect, it } from 'vitest';

import english from '../../../app/i18n/en.toml?raw';
import { pageTexts, scan, typesOf } from '../../words';

it('the types of the texts are current', async () => {
  await expect(typesOf(pageTexts(english))).toMatchFileSnapshot('texts.ts');
});

describe('a language file', () => {
  it('is read as app/i18n reads it', () => {
    const doc = '# no text\n\n[a]\nb = "c \\"d\\" \\u00a0"\nlong = """\n\tfirst "one"\nsecond\\n"""\n\n[a.b]\nc.d = "e = f"\n';
    expect(scan(doc)).toEqual({ 'a.b': 'c "d" \u00a0', 'a.long': '\tfirst "one"\nsecond\n', 'a.b.c.d': 'e = f' });
  });

  it.each(['b = 3', 'b', "b = 'c'", 'b = "c'])('of %s is refused', (line) => {
    expect(() => scan(`[a]\n${line}\n`)).toThrow(/^the text of a\.b is not a basic string/);
  });

  it('gives the page its own tables, and those that numbers need', () => {
    const doc = '[language]\nname = "X"\n[files]\na = "b"\n[window]\nc = "d"\n[window.plan]\ne = "f"\n[window_hint]\ng = "h"\n';
    expect(pageTexts(doc)).toEqual({ 'language.name': 'X', 'window.plan.e': 'f' });
  });
});

it('types are those of the parameters', () => {
  expect(typesOf({ 'files.x': '{y}', 'window.a.b': '{{plain}', 'window.a.c.d': '{count|number} {count|one:x|other:y} of {names}', 'window.e.f': '{kind|file:x|other:y}' })).toContain(`export interface Texts {
  a: {
    b: string;
    'c.d': (of: { count: number; names: Value }) => string;
  };
  e: {
    f: (of: { kind: Value }) => string;
  };
}`);
});
