/** Text sizes to choose from, in per cent of the system's. */
export const SCALES = [90, 100, 110, 125, 150, 175, 200] as const;

const KEY = 'errand.text';

/**
 * The look of the window. data-theme and data-contrast of the root element follow the configuration
 * ("system", "light", "dark", "contrast"), or the system if it leaves them open. The window stores
 * the text size.
 */
export class Appearance {
  theme = $state('system');
  scale = $state(100);

  #dark = matchMedia('(prefers-color-scheme: dark)');
  #contrast = matchMedia('(prefers-contrast: more)');

  constructor() {
    this.#dark.onchange = () => this.#apply();
    this.#contrast.onchange = () => this.#apply();
    this.#size(Number(remembered()) || 100);
    this.#apply();
  }

  follow(theme: string): void {
    this.theme = theme;
    this.#apply();
  }

  /** Makes the text larger (1) or smaller (-1), or resets it (0). */
  step(by: -1 | 0 | 1): void {
    this.#size(by === 0 ? 100 : nextScale(this.scale, by));
  }

  set(scale: number): void {
    this.#size(scale);
  }

  #size(scale: number): void {
    this.scale = SCALES.find((s) => s === scale) ?? 100;
    document.documentElement.style.fontSize = this.scale === 100 ? '' : `${this.scale}%`;
    try {
      localStorage.setItem(KEY, String(this.scale));
    } catch {
      // without storage the size is lost with the page
    }
  }

  #apply(): void {
    const isDark = this.theme === 'dark' || (this.theme !== 'light' && this.#dark.matches);
    const root = document.documentElement.dataset;
    root['theme'] = isDark ? 'dark' : 'light';
    root['contrast'] = this.theme === 'contrast' || this.#contrast.matches ? 'more' : 'usual';
  }
}

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Returns the next size in a direction; the last one stays. */
export function nextScale(scale: number, by: -1 | 1): number {
  const at = SCALES.findIndex((s) => s === scale);
  return SCALES[Math.min(Math.max((at < 0 ? 1 : at) + by, 0), SCALES.length - 1)]!;
}
