import type { Words } from '../words.svelte';
import { flow } from './flow';
import { remedies } from './remedies';
import { rooms } from './rooms';
import { window } from './window';

export const ru: Words = { tag: 'ru', ...window, ...flow, ...rooms, remedies };
