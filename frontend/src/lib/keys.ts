// The keys of the window, in one table: what App listens to and what the sheet
// of keys shows.

/** Names of what a key does; the catalogue has words for each. */
export type Deed =
  | 'plan'
  | 'approve'
  | 'stop'
  | 'back'
  | 'palette'
  | 'goal'
  | 'keys'
  | 'history'
  | 'complete'
  | 'steps'
  | 'details'
  | 'larger'
  | 'close';

const mac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The key that goes with a letter: Command on a Mac. */
export const MOD = mac ? '⌘' : 'Ctrl';

/** What to press, as it stands on the keys. Inner lists are pressed together, outer ones are alternatives. */
export const KEYS: Record<Deed, string[][]> = {
  plan: [['Enter']],
  approve: [[MOD, 'Enter']],
  stop: [[MOD, '.']],
  back: [['Esc']],
  palette: [[MOD, 'K']],
  goal: [[MOD, 'L']],
  keys: [['?']],
  history: [['↑']],
  complete: [['↓']],
  steps: [['J'], ['K']],
  details: [['Enter']],
  larger: [[MOD, '+'], [MOD, '−'], [MOD, '0']],
  close: [[MOD, 'Q']],
};

/** A hint beside a button. */
export function hint(deed: Deed): string {
  return (KEYS[deed][0] ?? []).join(' ').replace('Enter', '↵');
}

/** Reads what a key asks for, wherever the focus is. Letters alone count only where nothing is being typed. */
export function deedOf(e: KeyboardEvent, typing: boolean): Deed | 'next' | 'previous' | 'smaller' | 'usual' | undefined {
  if (e.isComposing || e.altKey) return undefined;
  if (e.ctrlKey || e.metaKey) return withMod(e);
  if (e.key === 'Escape') return 'back';
  if (typing) return undefined;
  if (e.key === '?') return 'keys';
  if (e.code === 'KeyJ') return 'next';
  if (e.code === 'KeyK') return 'previous';
  return undefined;
}

// By the key's place, so that a Russian layout has the same keys.
function withMod(e: KeyboardEvent) {
  if (e.key === 'Enter') return 'approve';
  switch (e.code) {
    case 'Period':
      return 'stop';
    case 'KeyK':
      return 'palette';
    case 'KeyL':
      return 'goal';
    case 'Equal':
    case 'NumpadAdd':
      return 'larger';
    case 'Minus':
    case 'NumpadSubtract':
      return 'smaller';
    case 'Digit0':
    case 'Numpad0':
      return 'usual';
    case 'KeyQ':
    case 'KeyW':
      return 'close';
    default:
      return undefined;
  }
}

/** Whether an element takes letters in. */
export function takesLetters(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button', 'range'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}
