import { expect, it } from 'vitest';

import examples from '../../../app/i18n/testdata/templates.json';
import en from '../../../app/i18n/en.toml';
import ru from '../../../app/i18n/ru.toml';
import { Writer, type Params } from './template';

const writers: Record<string, Writer> = { en: new Writer('en', en), ru: new Writer('ru', ru) };

// The same examples as in app/i18n/template_test.go.
it.each(examples)('$language: $text with $params', ({ language, text, params, want }) => {
  expect(writers[language]!.fill(text, params as unknown as Params)).toBe(want);
});
