import type { Words } from './words.svelte';

/** Milliseconds as minutes and seconds: 0:03. */
export function elapsed(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`;
}

/** Formats a duration for users: 240 ms, 1.4 s, 2:05. */
export function length(ms: number, t: Words): string {
  if (ms < 1000) return t.time.milliseconds({ count: ms });
  if (ms < 60_000) return t.time.seconds({ count: Math.round(ms / 100) / 10 });
  return elapsed(ms);
}

/** A past time, relative within two days. Both times are Unix milliseconds. */
export function ago(then: number, now: number, t: Words): string {
  const minutes = Math.floor((now - then) / 60_000);
  if (minutes < 1) return t.time.now;
  if (minutes < 60) return t.time.minutes_ago({ count: minutes });
  const time = new Date(then).toLocaleTimeString(t.tag, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const days = dayOf(now) - dayOf(then);
  if (days === 0) return t.time.today({ time });
  if (days === 1) return t.time.yesterday({ time });
  const thisYear = new Date(then).getFullYear() === new Date(now).getFullYear();
  return new Date(then).toLocaleDateString(t.tag, {
    day: 'numeric',
    month: 'short',
    ...(thisYear ? {} : { year: 'numeric' }),
  });
}

/** A past or future time with its day. */
export function moment(at: number, t: Words): string {
  return new Date(at).toLocaleString(t.tag, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

/** The remaining time in whole minutes or, in the last minute, seconds. "" when it is over. */
export function left(until: number, now: number, t: Words): string {
  const seconds = Math.ceil((until - now) / 1000);
  if (seconds <= 0) return '';
  return seconds >= 60 ? t.time.minutes_left({ count: Math.floor(seconds / 60) }) : t.time.seconds_left({ count: seconds });
}

/** The number of a local calendar day. */
function dayOf(ms: number): number {
  const d = new Date(ms);
  return Math.round(Date.UTC(d.getFullYear(), d.getMonth(), d.getDate()) / 86_400_000);
}
