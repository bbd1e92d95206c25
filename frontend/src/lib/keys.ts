// The keys of the window in one table, used by App and by the sheet of keys.

/** Names of key actions; the catalogue has their texts. */
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

/** The modifier of shortcuts: Command on a Mac. */
export const MOD = mac ? '⌘' : 'Ctrl';

/**
 * The keys to press, as labelled. Inner lists are pressed together, outer ones are alternatives.
 */
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

/** Returns a hint for a button. */
export function hint(deed: Deed): string {
  return (KEYS[deed][0] ?? []).join(' ').replace('Enter', '↵');
}

/**
 * Returns the action of a key, wherever the focus is. Letters without a modifier count only outside
 * of text fields.
 */
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

// Uses the physical key, so that a Russian layout has the same shortcuts.
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

/** Whether an element accepts text input. */
export function takesLetters(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button', 'range'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}
