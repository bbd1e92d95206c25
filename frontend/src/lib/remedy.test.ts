import { describe, expect, it } from 'vitest';

import { en } from '../words/en';
import { ru } from '../words/ru';
import { remedy } from './remedy';

describe('what helps', () => {
  it('is said as it is where it names no command', () => {
    expect(remedy('exists', 'choose another name', en)).toEqual({ text: 'choose another name', elsewhere: false });
    expect(remedy('run_not_found', 'ask who wrote it', en)?.text).toBe('ask who wrote it');
    expect(remedy('run_not_found', '', en)).toBeNull();
  });

  it('is said in the window’s words where the hint names a command', () => {
    expect(remedy('run_not_found', 'errand runs lists what is recorded', en)).toEqual({ text: en.remedies.run_not_found, elsewhere: false });
    expect(remedy('challenge_page', 'run it with --show and see to it', ru)).toEqual({ text: ru.remedies.challenge_page, elsewhere: false });
    expect(remedy('allowlist.unlisted', 'allow it with `errand policy allow example.org`', ru)?.text).toBe(ru.remedies['allowlist.unlisted']);
  });

  it('is marked as the command line’s where the window has no act for it', () => {
    expect(remedy('unknown_language', 'then errand plugin build --as-it-is', en)).toEqual({ text: 'then errand plugin build --as-it-is', elsewhere: true });
  });

  it('names no command of its own', () => {
    for (const words of [en, ru]) for (const [code, text] of Object.entries(words.remedies)) expect([code, remedy('', text, words)?.elsewhere]).toEqual([code, false]);
  });
});
