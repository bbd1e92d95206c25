// The program behind a page of `errand serve`: the same calls over HTTP, and the same events as a
// stream. The package comment of app/web has the protocol.

import type { API, Events, Failure } from './api';
import type { Program } from './bridge';
import { failureOf } from './bridge';

/** Whether the program can be reached. */
export type Reach =
  | 'here'
  | 'away' // nobody answers; the browser tries again by itself
  | 'locked' // it answers, but this page has no session: the printed address has to be opened
  | 'lost'; // events were missed: what is shown has to be asked for anew

/**
 * The keys that the server returns for its token: one for calls, and one for viewing, which may
 * appear in a URL.
 */
export interface Keys {
  call: string;
  view: string;
}

type Send = typeof fetch;

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The token in a URL's fragment, or "". */
export const tokenIn = (fragment: string): string => /^#token=([\w-]+)$/.exec(fragment)?.[1] ?? '';

const KEPT = 'errand.keys';

type Kept = () => Pick<Storage, 'getItem' | 'setItem'>;

/**
 * Returns the keys of this page: new ones for its token, or those stored before a reload. Null if
 * there are no valid keys. Rejects if the server doesn't respond.
 */
export async function keysFor(token: string, storage: Kept, send: Send = (...a) => fetch(...a)): Promise<Keys | null> {
  if (token === '') return kept(storage);
  const { status, answer } = await exchange(send, '/api/session', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ token }) });
  if (status >= 500) throw AWAY;
  if (!isKeys(answer)) return null;
  try {
    storage().setItem(KEPT, JSON.stringify(answer));
  } catch {
    // without storage a reload needs the printed URL again
  }
  return answer;
}

// Another program may have used this origin before and written to its storage.
function kept(storage: Kept): Keys | null {
  try {
    const keys: unknown = JSON.parse(storage().getItem(KEPT) ?? 'null');
    return isKeys(keys) ? keys : null;
  } catch {
    return null;
  }
}

function isKeys(it: unknown): it is Keys {
  const { call, view } = Object(it) as Partial<Record<keyof Keys, unknown>>;
  return typeof call === 'string' && typeof view === 'string';
}

/** The delay after an attempt without a response. */
export const AGAIN_MS = 1000;

/**
 * Connects to the program that served this page. Asks for the keys until the server responds;
 * `reach` receives the state of the connection.
 */
export function served(ask: () => Promise<Keys | null>, reach: (now: Reach) => void): Program {
  let keys = ask();
  let view = '';
  const follow = async (): Promise<EventSource | null> => {
    for (;;) {
      try {
        const have = await keys;
        view = encodeURIComponent(have?.view ?? '');
        return have && streamOf(view, reach);
      } catch {
        reach('away');
        await new Promise((later) => setTimeout(later, AGAIN_MS));
        keys = ask();
      }
    }
  };
  const stream = follow();
  return {
    api: caller(() => keys, reach),
    on: (event, hear) =>
      void stream.then((s) => s?.addEventListener(event, (e: MessageEvent<string>) => hear((e.data === '' ? undefined : JSON.parse(e.data)) as Events[typeof event]))),
    title: (text) => (document.title = text),
    usable: () => {},
    upload: (file) => sent(() => keys, file),
    picture: (path) => `${path}?key=${view}`,
  };
}

function streamOf(view: string, reach: (now: Reach) => void): EventSource {
  const stream = new EventSource(`/api/events?key=${view}`);
  stream.onopen = () => reach('here');
  stream.onerror = () => reach(stream.readyState === EventSource.CLOSED ? 'locked' : 'away');
  stream.addEventListener('lost', () => reach('lost'));
  return stream;
}

type Given = () => Promise<Keys | null>;

/** Uploads the file of a plugin. Returns its path in the program. */
export async function sent(keys: Given, file: File, send: Send = (...a) => fetch(...a)): Promise<string> {
  const headers = { 'Content-Type': 'application/octet-stream', ...(await bearer(keys)) };
  const { answer } = await exchange(send, `/api/upload?name=${encodeURIComponent(file.name)}`, { method: 'POST', headers, body: file });
  if (answer.error) throw failureOf(answer.error);
  return (answer.result as string | undefined) ?? '';
}

/** The failure of a call without a complete response. The window has its own text for it. */
const AWAY: Failure = { class: 'tool_unavailable', code: 'away', message: '', hint: '', retriable: true };

interface Answered {
  result?: unknown;
  error?: unknown;
}

/**
 * Makes a request and returns the response. Replaces the browser's error messages, which are not
 * meant for users.
 */
async function exchange(send: Send, path: string, init: RequestInit): Promise<{ status: number; answer: Answered }> {
  try {
    const response = await send(path, init);
    return { status: response.status, answer: (await response.json()) as Answered };
  } catch {
    throw AWAY;
  }
}

async function bearer(keys: Given): Promise<Record<string, string>> {
  const have = await keys().catch(() => {
    throw AWAY;
  });
  return have ? { Authorization: `Bearer ${have.call}` } : {};
}

/** An API in which every method is one POST. */
export function caller(keys: Given, reach: (now: Reach) => void, send: Send = (...a) => fetch(...a)): API {
  const ask = async (method: string, args: unknown[]) => {
    const headers = { ...JSON_TYPE, ...(await bearer(keys)) };
    return exchange(send, `/api/${method}`, { method: 'POST', headers, body: JSON.stringify(args) });
  };
  const call = async (method: string, args: unknown[]) => {
    const { status, answer } = await ask(method, args).catch((reason: unknown) => {
      reach('away');
      throw reason;
    });
    if (status === 401) reach('locked');
    if (answer.error) throw failureOf(answer.error);
    return answer.result;
  };
  return new Proxy({} as API, {
    get: (_, method) => (typeof method === 'string' && method !== 'then' ? (...args: unknown[]) => call(method, args) : undefined),
  });
}
