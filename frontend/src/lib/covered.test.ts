import { describe, expect, it } from 'vitest';

import { step } from '../dev/samples';
import { covered } from './covered';

const make = step({ action_id: 'a1' });
const wipe = step({ action_id: 'a2', needs_confirmation: true });
const after = step({ action_id: 'a3', depends_on: ['a2'] });
const later = step({ action_id: 'a4', depends_on: ['a3'] });
const shred = step({ action_id: 'a5', needs_confirmation: true });
const rest = step({ action_id: 'a6', depends_on: ['done'] });

describe('an approval covers', () => {
  it.each([
    ['steps that can be undone', [make, rest], [], ['a1', 'a6']],
    ['no destructive step', [make, wipe], [], ['a1']],
    ['nothing that depends on one', [make, wipe, after, later], [], ['a1']],
    ['nothing that depends on one, in any order', [later, after, wipe, make], [], ['a1']],
    ['a destructive step that is ticked', [make, wipe, after, later], ['a2'], ['a1', 'a2', 'a3', 'a4']],
    ['only the ticked one of two', [wipe, shred], ['a5'], ['a5']],
    ['nothing where none is ticked', [wipe, shred], [], []],
    ['nothing by a tick of another step', [make, wipe], ['a1'], ['a1']],
  ])('%s', (_, steps, ticked, want) => {
    expect(covered(steps, ticked).map((s) => s.action_id)).toEqual(want);
  });
});
