// English. Its keys and types define what every other language must have: see words.svelte.ts.

import { flow } from './flow';
import { remedies } from './remedies';
import { rooms } from './rooms';
import { window } from './window';

export const en = { tag: 'en', ...window, ...flow, ...rooms, remedies };
