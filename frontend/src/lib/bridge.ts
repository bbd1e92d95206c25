// The one door to the program: everything that the window asks goes through
// `Program`, so that tests put one of their own in its place.

import type { API, Events, Failure } from './api';

export interface Program {
  api: API;
  /** Calls `hear` for every event of the name, until the window is gone. */
  on<E extends keyof Events>(event: E, hear: (data: Events[E]) => void): void;
  /** Sets the window's title, which the task switcher shows. */
  title(text: string): void;
  /** Tells the program that the page can be used. */
  usable(): void;
  /**
   * Hands the file of a plugin to the program, and answers where it lies there.
   * Null where the program shows dialogs of its own.
   */
  upload: ((file: File) => Promise<string>) | null;
  /** Where a picture is that a view names. */
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

/** The program behind this window, as the toolkit put it into the page. Null where the page is served over HTTP. */
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

/** Whatever a call was rejected with, as a failure that can be shown. */
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
