/** The current time in Unix milliseconds, which updates while something reads it. */
export class Clock {
  now = $state(Date.now());

  /** Ticks every `everyMs` until the returned function is called. */
  tick(everyMs: number): () => void {
    this.now = Date.now();
    const timer = setInterval(() => (this.now = Date.now()), everyMs);
    return () => clearInterval(timer);
  }
}
