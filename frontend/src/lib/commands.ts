// The commands of the palette: every room, and every action that is possible now.

import type { Mark } from '../parts/Icon.svelte';
import { languages, type Words } from '../words/words.svelte';
import { hint } from './keys';
import { pick, textOf } from './pick';
import { ROOMS } from './router.svelte';
import { isGoal } from './said';
import type { Shell } from './shell.svelte';

export interface Command {
  id: string;
  name: string;
  mark: Mark;
  run: () => void;
  keys?: string;
  /** One word for the group of the command. */
  note?: string;
  /** More search words. */
  also?: string;
}

export function commands(shell: Shell, t: Words): Command[] {
  return [...deeds(shell, t), ...rooms(shell, t), ...looks(shell, t), ...goals(shell, t)];
}

function deeds(shell: Shell, t: Words): Command[] {
  const { session, router } = shell;
  const list: Command[] = [];
  const add = (possible: boolean, command: Command) => possible && list.push(command);
  add(session.active, { id: 'stop', name: t.palette.stop, mark: 'stopped', keys: hint('stop'), run: () => void session.stop() });
  // There is no command to approve: users approve where they see the whole plan.
  add(session.screen === 'plan', { id: 'plan', name: t.palette.plan, mark: 'ask', run: () => router.go('goal') });
  add(shell.drafts.waiting > 0, { id: 'waiting', name: t.palette.waiting({ count: shell.drafts.waiting }), mark: 'ask', run: () => router.go('drafts') });
  add(!session.active, { id: 'new', name: t.palette.new_goal, mark: 'goal', keys: hint('goal'), run: () => shell.goal() });
  add(!session.active, { id: 'model', name: t.model.ask, mark: 'memory', also: 'llm ai', run: () => shell.model() });
  list.push({ id: 'models', name: t.model.settings, mark: 'settings', also: t.rooms.settings, run: () => router.go('settings', 'agent') });
  add(!session.active, { id: 'transcript', name: t.palette.transcript, mark: 'open', also: 'voice', run: () => void hear(shell) });
  const run = session.run;
  if (run && !session.active) {
    add(isGoal(run.text) || run.plan.recipe !== null, { id: 'again', name: t.palette.again, mark: 'undo', note: run.text, run: () => void shell.again(run) });
    list.push({ id: 'record', name: t.palette.record, mark: 'runs', note: run.text, run: () => router.go('runs', run.run_id) });
  }
  list.push({ id: 'keys', name: t.keys.title, mark: 'keys', keys: hint('keys'), run: () => (shell.over = 'keys') });
  add(shell.own, { id: 'close', name: t.palette.close, mark: 'deny', keys: hint('close'), run: () => void session.close(false) });
  return list;
}

// A spoken goal becomes a plan that is shown. It never runs without approval.
async function hear(shell: Shell): Promise<void> {
  const file = await pick('.json,application/json');
  if (!file) return;
  shell.goal();
  await shell.session.heard(await textOf(file));
}

function rooms({ router }: Shell, t: Words): Command[] {
  return ROOMS.filter((r) => r !== 'goal').map((room) => ({
    id: `room-${room}`,
    name: t.rooms[room],
    also: t.palette.room,
    mark: room,
    note: t.palette.room,
    run: () => router.go(room),
  }));
}

function looks(shell: Shell, t: Words): Command[] {
  const text = (key: string, value: string) => void shell.change([{ key, text: value, flag: false, number: 0, list: [], reset: false }]);
  const themes = Object.entries(t.theme).map(
    ([theme, name]): Command => ({
      id: `theme-${theme}`,
      name: t.palette.theme({ name }),
      mark: 'settings',
      note: shell.appearance.theme === theme ? t.palette.now : '',
      run: () => text('ui.theme', theme),
    }),
  );
  const sizes: Command[] = [
    { id: 'larger', name: t.palette.larger, mark: 'add', keys: hint('larger'), run: () => shell.appearance.step(1) },
    { id: 'smaller', name: t.palette.smaller, mark: '', run: () => shell.appearance.step(-1) },
    { id: 'usual', name: t.palette.usual, mark: 'settings', run: () => shell.appearance.step(0) },
  ];
  const tongues = Object.entries(languages).map(([tag, name]): Command => ({ id: `language-${tag}`, name: t.palette.language({ name }), mark: 'settings', run: () => text('ui.language', tag) }));
  return [...themes, ...sizes, ...tongues];
}

function goals(shell: Shell, t: Words): Command[] {
  if (shell.session.active) return [];
  const recipes = (shell.recipes.list.value ?? []).map(
    ({ name, description }, i): Command => ({
      id: `recipe-${i}`,
      name: t.palette.recipe({ name }),
      mark: 'recipes',
      note: description,
      run: () => shell.router.go('recipes', name),
    }),
  );
  const past = shell.session.past.slice(0, 20).map((text, i): Command => ({
    id: `past-${i}`,
    name: text,
    mark: 'runs',
    note: t.palette.lately,
    run: () => into(text),
  }));
  return [...recipes, ...past];

  // The text goes into the field, so that Enter here starts nothing.
  function into(text: string) {
    shell.goal();
    shell.session.type(text);
  }
}
