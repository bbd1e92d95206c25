/** The time, in Unix milliseconds, that moves while something reads it. */
export class Clock {
  now = $state(Date.now());

  /** Ticks every `everyMs` until the function that it returns is called. */
  tick(everyMs: number): () => void {
    this.now = Date.now();
    const timer = setInterval(() => (this.now = Date.now()), everyMs);
    return () => clearInterval(timer);
  }
}
