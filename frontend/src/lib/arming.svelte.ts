/** How long a button that approves stays deaf after it is shown or the window gets the focus. */
export const ARM_AFTER_MS = 400;

/**
 * Guards an approval against the click or key that was meant for something
 * else: the one that brought the window to the front, or the one before the
 * plan appeared under the pointer.
 */
export class Arming {
  armed = $state(false);

  /** Arms after a while and again after every focus; returns what ends it. */
  watch(target: EventTarget): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = () => {
      clearTimeout(timer);
      this.armed = false;
      timer = setTimeout(() => (this.armed = true), ARM_AFTER_MS);
    };
    again();
    target.addEventListener('focus', again);
    return () => {
      clearTimeout(timer);
      target.removeEventListener('focus', again);
    };
  }
}
