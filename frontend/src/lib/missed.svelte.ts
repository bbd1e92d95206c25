/**
 * What happened while nobody looked at the page: its title says it until
 * somebody does. A page in a browser may not notify without being asked to.
 */
export class Missed {
  text = $state('');

  #looking = true;

  /** Takes in whether the person looks. */
  look(looking: boolean): void {
    this.#looking = looking;
    if (looking) this.text = '';
  }

  /** Tells of what has just happened. */
  tell(text: string): void {
    if (!this.#looking) this.text = text;
  }
}
