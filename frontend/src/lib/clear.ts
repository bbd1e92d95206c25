// What lies over an edge of the room keeps clear of what has the focus.

/**
 * Holds the room's scrolling clear of a bar over one of its edges: what gets the
 * focus is scrolled to where the bar doesn't hide it. A bar that stands in the
 * room, as where the window is small, takes nothing.
 */
export function keepsClear(bar: HTMLElement, edge: 'top' | 'bottom'): { destroy(): void } {
  const room = bar.closest<HTMLElement>('[data-scrolls]');
  const side = edge === 'top' ? 'scrollPaddingTop' : 'scrollPaddingBottom';
  const watch = new ResizeObserver(() => {
    const lies = [bar, bar.parentElement!].some((e) => getComputedStyle(e).position === 'sticky');
    if (room) room.style[side] = lies ? `${bar.offsetHeight + GAP_PX}px` : '';
  });
  watch.observe(bar);
  if (room) watch.observe(room); // its size decides whether the bar lies over it
  return {
    destroy() {
      watch.disconnect();
      if (room) room.style[side] = '';
    },
  };
}

/** For the ring around what has the focus, and the bar's fading edge. */
const GAP_PX = 12;
