// What a screen reader is told: one region that waits its turn, one that doesn't.

/** How long a message that may change again at once, such as a reading while typing, has to rest. */
const REST_MS = 600;

export class Live {
  polite = $state('');
  assertive = $state('');

  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Says something when there is a pause. A newer message replaces one that rests. */
  say(text: string, restMs = 0): void {
    clearTimeout(this.#timer);
    if (restMs === 0) this.polite = text;
    else this.#timer = setTimeout(() => (this.polite = text), restMs);
  }

  /** Says what is still being typed about, once it rests. */
  settle(text: string): void {
    this.say(text, REST_MS);
  }

  /** Says at once that the person is needed. What it answers takes that back, unless something else was said since. */
  alert(text: string): () => void {
    this.assertive = text;
    return () => {
      if (this.assertive === text) this.assertive = '';
    };
  }
}
