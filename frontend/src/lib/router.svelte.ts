// Which room of the window is open. It stands in the address's fragment, so that
// a page that is loaded again opens where it was, and Back goes back.

export const ROOMS = ['goal', 'drafts', 'runs', 'recipes', 'plugins', 'policy', 'settings', 'doctor'] as const;

export type Room = (typeof ROOMS)[number];

export interface Place {
  room: Room;
  /** What is looked at in the room, such as a run's id; "" for the room itself. */
  item: string;
}

/** Reads a fragment such as "#/runs/r1". Whatever is no place is the goal. */
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

  /** Opens a place; where the address can't be followed, as in tests, nothing else happens. */
  go(room: Room, item = ''): void {
    if (room === this.room && item === this.item) return;
    this.#place = { room, item };
    if (typeof location !== 'undefined') location.hash = fragment(this.#place);
  }

  /** Leaves an item for its room, and a room for the goal. Reports whether there was anything to leave. */
  up(): boolean {
    if (this.room === 'goal') return false;
    this.go(this.item === '' ? 'goal' : this.room);
    return true;
  }

  /** Follows the address until the function that it returns is called. */
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
