// The program behind a page that `errand serve` sends: the same calls over HTTP,
// the same events as a stream. app/web's package comment has the protocol.

import type { API, Events, Failure } from './api';
import type { Program } from './bridge';
import { failureOf } from './bridge';

/** How the program can be reached. */
export type Reach =
  | 'here'
  | 'away' // nobody answers; the browser tries again by itself
  | 'locked' // it answers, but this page has no session: the printed address has to be opened
  | 'lost'; // events were missed: what is shown has to be asked for anew

/** What the server gives for its token: one key to call with, one to look with, which may stand in an address. */
export interface Keys {
  call: string;
  view: string;
}

type Send = typeof fetch;

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The token in an address's fragment; "" where there is none. */
export const tokenIn = (fragment: string): string => /^#token=([\w-]+)$/.exec(fragment)?.[1] ?? '';

const KEPT = 'errand.keys';

type Kept = () => Pick<Storage, 'getItem' | 'setItem'>;

/**
 * The keys of this page: for its token, or those that it kept before it was loaded
 * again. Null: it has none that open anything. It is rejected where nobody answers.
 */
export async function keysFor(token: string, storage: Kept, send: Send = (...a) => fetch(...a)): Promise<Keys | null> {
  if (token === '') return kept(storage);
  const { status, answer } = await exchange(send, '/api/session', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ token }) });
  if (status >= 500) throw AWAY;
  if (!isKeys(answer)) return null;
  try {
    storage().setItem(KEPT, JSON.stringify(answer));
  } catch {
    // without storage the page has to be opened anew when it is loaded again
  }
  return answer;
}

// Others may write into the storage of an address that was theirs yesterday.
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

/** How long after an attempt that nobody answered the next one is made. */
export const AGAIN_MS = 1000;

/** The way to the program that sent this page. The keys are asked for until somebody answers; `reach` hears how it goes. */
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

/** Sends the file of a plugin; answers where the program keeps it. */
export async function sent(keys: Given, file: File, send: Send = (...a) => fetch(...a)): Promise<string> {
  const headers = { 'Content-Type': 'application/octet-stream', ...(await bearer(keys)) };
  const { answer } = await exchange(send, `/api/upload?name=${encodeURIComponent(file.name)}`, { method: 'POST', headers, body: file });
  if (answer.error) throw failureOf(answer.error);
  return (answer.result as string | undefined) ?? '';
}

/** What a call is rejected with that had no answer, or no whole one. The window has its own words for it. */
const AWAY: Failure = { class: 'tool_unavailable', code: 'away', message: '', hint: '', retriable: true };

interface Answered {
  result?: unknown;
  error?: unknown;
}

/** Sends a call and takes its answer in: what the browser says where there is none is for no person to read. */
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

/** An API of which every method is one POST. */
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
