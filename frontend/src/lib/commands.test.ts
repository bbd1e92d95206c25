import { describe, expect, it, vi } from 'vitest';

import { recipe, run } from '../dev/samples';
import { en } from '../words/words.svelte';
import { commands } from './commands';
import { ROOMS } from './router.svelte';
import type { Shell } from './shell.svelte';

/** As much of a shell as the palette looks at. */
function shell(session: Partial<Shell['session']> = {}, waiting = 0) {
  return {
    session: { active: false, screen: 'goal', run: null, past: [], type: vi.fn(), submit: vi.fn(), stop: vi.fn(), ...session },
    router: { go: vi.fn() },
    drafts: { waiting },
    recipes: { list: { value: [recipe({ name: 'news', description: 'Open wikipedia' })] } },
    appearance: { theme: 'dark', step: vi.fn() },
    own: true,
    goal: vi.fn(),
    change: vi.fn(),
  } as unknown as Shell;
}

const ids = (s: Shell) => commands(s, en).map((c) => c.id);

describe('the palette', () => {
  it('leads to every room but the one that Ctrl+L opens', () => {
    expect(ids(shell())).toEqual(expect.arrayContaining(ROOMS.filter((r) => r !== 'goal').map((r) => `room-${r}`)));
  });

  it('offers only what is possible now', () => {
    expect(ids(shell())).not.toContain('stop');
    expect(ids(shell({ active: true, run: run() }))).toEqual(expect.arrayContaining(['stop']));
    expect(ids(shell({ active: true, run: run() }))).not.toContain('again');
    expect(ids(shell({}, 2))).toContain('waiting');
  });

  it('closes a window of the program’s own, and no tab of a browser', () => {
    expect(ids(shell())).toContain('close');
    expect(ids(Object.assign(shell(), { own: false }))).not.toContain('close');
  });

  it('leads to a plan that waits, and has no command that approves it', () => {
    const s = shell({ screen: 'plan' });
    const plan = commands(s, en).find((c) => c.id === 'plan')!;
    plan.run();
    expect(s.router.go).toHaveBeenCalledWith('goal');
    expect(commands(s, en).some((c) => /approve/i.test(c.name))).toBe(false);
  });

  it('puts a goal of the past into the field, opens a recipe, and starts nothing', () => {
    const s = shell({ past: ['open github'] });
    for (const id of ['past-0', 'recipe-0']) commands(s, en).find((c) => c.id === id)!.run();
    expect(vi.mocked(s.session.type).mock.calls).toEqual([['open github']]);
    expect(vi.mocked(s.router.go).mock.calls).toEqual([['recipes', 'news']]);
    expect(s.session.submit).not.toHaveBeenCalled();
  });

  it('has one name for one thing', () => {
    const all = commands(shell({ active: false, run: run({ status: 'done' }), screen: 'run', past: ['a', 'b'] }, 1), en);
    expect(new Set(all.map((c) => c.id)).size).toBe(all.length);
    expect(new Set(all.map((c) => c.name)).size).toBe(all.length);
  });
});
