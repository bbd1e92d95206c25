// Keeps the focused element clear of overlays at an edge of the room.

/**
 * Keeps the room's scrolling clear of a bar at one of its edges: a focused element is scrolled to
 * where the bar doesn't cover it. A bar that is part of the room's flow, as in a small window, has
 * no effect.
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

/** Space for the focus ring and the bar's fading edge. */
const GAP_PX = 12;
