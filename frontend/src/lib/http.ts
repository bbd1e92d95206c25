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

/** Takes the token out of the address, so that it stands there no longer. "" where there is none. */
export function takeToken(place: { hash: string }, replace: (fragment: string) => void): string {
  const token = /^#token=([\w-]+)$/.exec(place.hash)?.[1] ?? '';
  if (token !== '') replace('#/');
  return token;
}

const KEPT = 'errand.keys';

/** The keys of this page: for its token, or those that it kept before it was loaded again. */
export async function keysFor(token: string, storage: Pick<Storage, 'getItem' | 'setItem'>, send: Send = (...a) => fetch(...a)): Promise<Keys | null> {
  if (token === '') return JSON.parse(storage.getItem(KEPT) ?? 'null') as Keys | null;
  const answer = await send('/api/session', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ token }) });
  if (!answer.ok) return null;
  const keys = (await answer.json()) as Keys;
  storage.setItem(KEPT, JSON.stringify(keys));
  return keys;
}

/** The way to the program that sent this page. `reach` hears how it goes. */
export function served(keys: Keys | null, reach: (now: Reach) => void): Program {
  const view = encodeURIComponent(keys?.view ?? '');
  const stream = keys && new EventSource(`/api/events?key=${view}`);
  if (stream) {
    stream.onopen = () => reach('here');
    stream.onerror = () => reach(stream.readyState === EventSource.CLOSED ? 'locked' : 'away');
    stream.addEventListener('lost', () => reach('lost'));
  }
  return {
    api: caller(keys, reach),
    on: (event, hear) =>
      stream?.addEventListener(event, (e: MessageEvent<string>) => hear((e.data === '' ? undefined : JSON.parse(e.data)) as Events[typeof event])),
    title: (text) => (document.title = text),
    usable: () => {},
    upload: (file) => sent(keys, file),
    picture: (path) => `${path}?key=${view}`,
  };
}

/** Sends the file of a plugin; answers where the program keeps it. */
export async function sent(keys: Keys | null, file: File, send: Send = (...a) => fetch(...a)): Promise<string> {
  const headers = { 'Content-Type': 'application/octet-stream', ...(keys && { Authorization: `Bearer ${keys.call}` }) };
  const { answer } = await exchange(send, `/api/upload?name=${encodeURIComponent(file.name)}`, { method: 'POST', headers, body: file });
  if (answer.error) throw failureOf(answer.error);
  return (answer.result as string | undefined) ?? '';
}

/** What a call is rejected with that had no answer, or no whole one. The window has its own words for it. */
const AWAY: Failure = { class: 'tool_unavailable', code: 'away', message: '', hint: '', retriable: true };

/** Sends a call and takes its answer in: what the browser says where there is none is for no person to read. */
async function exchange(send: Send, path: string, init: RequestInit): Promise<{ status: number; answer: { result?: unknown; error?: unknown } }> {
  try {
    const response = await send(path, init);
    return { status: response.status, answer: (await response.json()) as { result?: unknown; error?: unknown } };
  } catch {
    throw AWAY;
  }
}

/** An API of which every method is one POST. */
export function caller(keys: Keys | null, reach: (now: Reach) => void, send: Send = (...a) => fetch(...a)): API {
  const headers = { ...JSON_TYPE, ...(keys && { Authorization: `Bearer ${keys.call}` }) };
  const call = async (method: string, args: unknown[]) => {
    const { status, answer } = await exchange(send, `/api/${method}`, { method: 'POST', headers, body: JSON.stringify(args) }).catch((reason: unknown) => {
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
