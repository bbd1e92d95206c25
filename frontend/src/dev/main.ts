// Runs the window with a story instead of the program: npm run dev, then
// /dev.html?scene=running&theme=dark&language=ru#/runs

import '../styles/tokens.css';
import '../styles/base.css';

import { mount } from 'svelte';

import App from '../App.svelte';
import { Appearance } from '../lib/appearance.svelte';
import { Shell } from '../lib/shell.svelte';
import { story } from './story';

const given = new URLSearchParams(location.search);
const appearance = new Appearance();
appearance.set(Number(given.get('text') ?? 100));

const shell = new Shell(
  story(given.get('scene') ?? '', { language: given.get('language') ?? 'en', theme: given.get('theme') ?? 'light' }),
  appearance,
);
mount(App, { target: document.getElementById('app')!, props: { shell } });
await shell.start();

const goal = given.get('goal');
if (goal) await shell.session.submit(goal);
const typed = given.get('typed');
if (typed) shell.session.type(typed);
