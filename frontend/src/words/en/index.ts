// English. The keys and the shapes of these words are the contract of every
// other language: see words.svelte.ts.

import { flow } from './flow';
import { remedies } from './remedies';
import { rooms } from './rooms';
import { window } from './window';

export const en = { tag: 'en', ...window, ...flow, ...rooms, remedies };
