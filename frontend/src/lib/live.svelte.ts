// Announcements for screen readers: one polite region and one assertive region.

/** How long a message that may change soon, such as a reading while typing, must stay unchanged. */
const REST_MS = 600;

export class Live {
  polite = $state('');
  assertive = $state('');

  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Announces a text at the next pause. A newer message replaces a waiting one. */
  say(text: string, restMs = 0): void {
    clearTimeout(this.#timer);
    if (restMs === 0) this.polite = text;
    else this.#timer = setTimeout(() => (this.polite = text), restMs);
  }

  /** Announces a text that depends on typing, after a pause in typing. */
  settle(text: string): void {
    this.say(text, REST_MS);
  }

  /**
   * Announces immediately that the user is needed. The returned function withdraws the message
   * unless a newer one replaced it.
   */
  alert(text: string): () => void {
    this.assertive = text;
    return () => {
      if (this.assertive === text) this.assertive = '';
    };
  }
}
