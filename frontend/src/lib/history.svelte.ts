import type { Line } from './api';
import type { Program } from './bridge';
import { Pages } from './pages.svelte';

/** The pause in typing after which the history is searched. */
export const SEARCH_AFTER_MS = 150;

/** Statuses for filtering the history; "" means all. */
export const STATUSES = ['', 'done', 'failed', 'denied', 'needs_approval', 'cancelled', 'interrupted'] as const;

/** The past runs that match a search, the newest first. */
export class History {
  query = $state('');
  status = $state('');
  lines: Pages<Line>;

  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(program: Program) {
    this.lines = new Pages<Line>(async (from, limit) => {
      const page = await program.api.Runs({ query: this.query.trim(), status: this.status, from, limit });
      return { from: page.from, total: page.total, items: page.runs };
    });
  }

  /** Whether there is neither a search nor a filter. */
  get whole(): boolean {
    return this.query.trim() === '' && this.status === '';
  }

  search(query: string): void {
    this.query = query;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.lines.load(), SEARCH_AFTER_MS);
  }

  only(status: string): void {
    this.status = status;
    void this.lines.load();
  }

  all(): void {
    this.query = '';
    this.only('');
  }
}
