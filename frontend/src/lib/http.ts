// The program behind a page that `errand serve` sends: the same calls over HTTP,
// the same events as a stream. app/web's package comment has the protocol.

import type { API, Events } from './api';
import type { Program } from './bridge';
import { failureOf } from './bridge';

/** How the program can be reached. */
export type Reach =
  | 'here'
  | 'away' // nobody answers; the browser tries again by itself
  | 'locked' // it answers, but this page has no session: the printed address has to be opened
  | 'lost'; // events were missed: what is shown has to be asked for anew

/** Takes the token out of the address, so that it stands there no longer. "" where there is none. */
export function takeToken(place: { hash: string }, replace: (fragment: string) => void): string {
  const token = /^#token=([\w-]+)$/.exec(place.hash)?.[1] ?? '';
  if (token !== '') replace('#/');
  return token;
}

/** Opens the way to the program that sent this page. `reach` hears how it goes. */
export async function served(token: string, reach: (now: Reach) => void): Promise<Program> {
  if (token !== '') await begin(token);
  const hearers = new Map<string, ((data: never) => void)[]>();
  const stream = new EventSource('/api/events');
  stream.onopen = () => reach('here');
  stream.onerror = () => reach(stream.readyState === EventSource.CLOSED ? 'locked' : 'away');
  stream.addEventListener('lost', () => reach('lost'));

  return {
    api: caller(reach),
    title: (text) => (document.title = text),
    on(event, hear) {
      const known = hearers.get(event);
      if (known) return void known.push(hear as (data: never) => void);
      const all = [hear as (data: never) => void];
      hearers.set(event, all);
      stream.addEventListener(event, (e: MessageEvent<string>) => {
        const data = e.data === '' ? undefined : (JSON.parse(e.data) as Events[typeof event]);
        for (const one of all) one(data as never);
      });
    },
  };
}

async function begin(token: string): Promise<void> {
  await fetch('/api/session', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  });
}

/** An API of which every method is one POST. */
export function caller(reach: (now: Reach) => void, send: typeof fetch = (...a) => fetch(...a)): API {
  const call = async (method: string, args: unknown[]) => {
    let response: Response;
    try {
      response = await send(`/api/${method}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(args),
      });
    } catch (reason) {
      reach('away');
      throw { ...failureOf(reason), class: 'tool_unavailable', code: 'away', retriable: true };
    }
    if (response.status === 401) reach('locked');
    const answer = (await response.json()) as { result?: unknown; error?: unknown };
    if (answer.error) throw failureOf(answer.error);
    return answer.result;
  };
  return new Proxy({} as API, {
    get: (_, method) => (typeof method === 'string' && method !== 'then' ? (...args: unknown[]) => call(method, args) : undefined),
  });
}
