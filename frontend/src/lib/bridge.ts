// The only connection to the program. The window makes all requests through `Program`, so that
// tests can replace it.

import type { API, Events, Failure } from './api';

export interface Program {
  api: API;
  /** Calls `hear` for every event with this name, as long as the window exists. */
  on<E extends keyof Events>(event: E, hear: (data: Events[E]) => void): void;
  /** Sets the window's title, which the task switcher shows. */
  title(text: string): void;
  /** Tells the program that the page is usable. */
  usable(): void;
  /**
   * Uploads the file of a plugin and returns its path in the program. Null if the program has its
   * own file dialogs.
   */
  upload: ((file: File) => Promise<string>) | null;
  /** Returns the URL of a picture that a view names. */
  picture(path: string): string;
}

declare global {
  interface Window {
    go?: { desktop: { API: API } };
    runtime?: {
      EventsOn(event: string, hear: (data: never) => void): () => void;
      EventsEmit(event: string): void;
      WindowSetTitle(title: string): void;
    };
  }
}

/**
 * Returns the program behind this window, as the toolkit injected it. Null if the page is served
 * over HTTP.
 */
export function bound(): Program | null {
  const { go, runtime } = window;
  if (!go || !runtime) return null;
  return {
    api: go.desktop.API,
    on: (event, hear) => void runtime.EventsOn(event, hear),
    title: (text) => {
      document.title = text;
      runtime.WindowSetTitle(text);
    },
    usable: () => runtime.EventsEmit('usable'),
    upload: null,
    picture: (path) => path,
  };
}

/** Converts the reason of a rejected call to a failure that can be shown. */
export function failureOf(reason: unknown): Failure {
  if (typeof reason === 'object' && reason !== null && 'message' in reason) {
    const given = reason as Partial<Failure>;
    return {
      class: given.class ?? 'unknown',
      code: given.code ?? '',
      message: String(given.message),
      hint: given.hint ?? '',
      retriable: given.retriable ?? false,
    };
  }
  return { class: 'unknown', code: '', message: String(reason), hint: '', retriable: false };
}
