/** How long an approving button ignores input after it appears or the window gets the focus. */
export const ARM_AFTER_MS = 400;

/**
 * Protects an approval from a click or key that was meant for something else: to focus the window,
 * or to press what was under the pointer before the plan appeared.
 */
export class Arming {
  armed = $state(false);

  /** Arms after a delay and again after every focus. Returns a function that stops watching. */
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
