import './styles/tokens.css';
import './styles/base.css';

import { mount } from 'svelte';

import App from './App.svelte';
import { Appearance } from './lib/appearance.svelte';
import { bound, type Program } from './lib/bridge';
import { keysFor, served, takeToken, type Reach } from './lib/http';
import { leftIn } from './lib/left';
import { Shell } from './lib/shell.svelte';
import { speak, words } from './words/words.svelte';

const appearance = new Appearance();
void speak('', navigator.languages);

/** The program of the toolkit's window, or the one that served this page. */
async function program(reach: (now: Reach) => void): Promise<Program> {
  const token = takeToken(location, (fragment) => history.replaceState(null, '', fragment));
  return bound() ?? served(await keysFor(token, sessionStorage), reach);
}

async function open(): Promise<void> {
  let shell: Shell | undefined;
  const here = await program((now) => shell?.reached(now));
  shell = new Shell(here, appearance, () => words.t.tag, leftIn(() => sessionStorage));
  mount(App, { target: document.getElementById('app')!, props: { shell } });
  await shell.start();
  here.usable();
}

void open();
