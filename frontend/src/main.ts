import './styles/tokens.css';
import './styles/base.css';

import { mount } from 'svelte';

import App from './App.svelte';
import { program } from './lib/bridge';
import { Session } from './lib/session.svelte';
import { follow } from './lib/theme';
import { speak } from './words/words.svelte';

follow('system');
speak('', navigator.languages);

const here = program();
const session = new Session(here);
mount(App, { target: document.getElementById('app')!, props: { session, title: here.title } });

void session.start().then(() => {
  follow(session.boot?.theme ?? 'system');
  speak(session.boot?.language ?? '', navigator.languages);
});
