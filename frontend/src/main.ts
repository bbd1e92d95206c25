import './styles/tokens.css';
import './styles/base.css';

import { mount } from 'svelte';

import App from './App.svelte';
import { Appearance } from './lib/appearance.svelte';
import { bound, type Program } from './lib/bridge';
import { keysFor, served, tokenIn, type Reach } from './lib/http';
import { leftIn } from './lib/left';
import { Shell } from './lib/shell.svelte';
import { speak, systemLanguages } from './words/words.svelte';

const appearance = new Appearance();
void speak(systemLanguages());

/** Returns the program of the toolkit's window, or the one that served this page. */
function program(reach: (now: Reach) => void): Program {
  const token = tokenIn(location.hash);
  const keys = async () => {
    const have = await keysFor(token, () => sessionStorage);
    if (tokenIn(location.hash) !== '') history.replaceState(null, '', '#/'); // it stands there until it was taken
    return have;
  };
  return bound() ?? served(keys, reach);
}

async function open(): Promise<void> {
  let shell: Shell | undefined;
  const here = program((now) => shell?.reached(now));
  shell = new Shell(here, appearance, leftIn(() => sessionStorage));
  mount(App, { target: document.getElementById('app')!, props: { shell } });
  await shell.start();
  here.usable();
}

void open();
