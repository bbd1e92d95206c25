// The open room of the window. It is in the URL's fragment, so that a reloaded page opens the same
// room and Back works.

export const ROOMS = ['goal', 'drafts', 'runs', 'recipes', 'plugins', 'policy', 'settings', 'doctor'] as const;

export type Room = (typeof ROOMS)[number];

export interface Place {
  room: Room;
  /** The open item of the room, such as a run's id; "" for the room itself. */
  item: string;
}

/** Parses a fragment such as "#/runs/r1". An invalid one leads to the goal. */
export function parse(fragment: string): Place {
  const [, room = '', item = ''] = /^#\/([a-z]+)(?:\/(.+))?$/.exec(fragment) ?? [];
  const known = ROOMS.find((r) => r === room);
  if (!known) return { room: 'goal', item: '' };
  try {
    return { room: known, item: decodeURIComponent(item) };
  } catch {
    return { room: known, item: '' };
  }
}

export function fragment({ room, item }: Place): string {
  return item === '' ? `#/${room}` : `#/${room}/${encodeURIComponent(item)}`;
}

export class Router {
  #place = $state.raw<Place>({ room: 'goal', item: '' });

  room = $derived(this.#place.room);
  item = $derived(this.#place.item);

  /** Opens a place. If the URL isn't followed, as in tests, nothing else happens. */
  go(room: Room, item = ''): void {
    if (room === this.room && item === this.item) return;
    this.#place = { room, item };
    if (typeof location !== 'undefined') location.hash = fragment(this.#place);
  }

  /**
   * Goes from an item to its room, and from a room to the goal. Returns false if it already was
   * there.
   */
  up(): boolean {
    if (this.room === 'goal') return false;
    this.go(this.item === '' ? 'goal' : this.room);
    return true;
  }

  /** Follows the URL until the returned function is called. */
  follow(): () => void {
    const read = () => {
      const place = parse(location.hash);
      if (place.room !== this.room || place.item !== this.item) this.#place = place;
    };
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }
}
