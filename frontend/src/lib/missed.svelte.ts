/**
 * Shows events in the page's title while the user isn't looking at the page. A page in a browser
 * can't send notifications without asking first.
 */
export class Missed {
  text = $state('');

  #looking = true;

  /** Sets whether the user is looking. */
  look(looking: boolean): void {
    this.#looking = looking;
    if (looking) this.text = '';
  }

  /** Reports an event. */
  tell(text: string): void {
    if (!this.#looking) this.text = text;
  }
}
