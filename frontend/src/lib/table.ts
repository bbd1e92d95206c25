/** A value that is shown as a table. */
export interface Table {
  columns: string[];
  rows: string[][];
  /** The total number of rows. */
  total: number;
}

/** The maximum number of rows and columns. */
const ROWS = 50;
const COLUMNS = 6;

/**
 * Parses the JSON of a list: of objects as a table, of plain values as one column. Null for
 * anything else.
 */
export function tableOf(text: string): Table | null {
  if (!text.startsWith('[')) return null;
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(list) || list.length === 0) return null;
  const shown = list.slice(0, ROWS) as unknown[];
  if (shown.every((v) => typeof v !== 'object' || v === null)) {
    return { columns: [], rows: shown.map((v) => [plain(v)]), total: list.length };
  }
  if (!shown.every((v): v is Record<string, unknown> => typeof v === 'object' && v !== null && !Array.isArray(v))) return null;
  const columns = [...new Set(shown.flatMap((v) => Object.keys(v)))].slice(0, COLUMNS);
  return { columns, rows: shown.map((v) => columns.map((c) => plain(v[c]))), total: list.length };
}

function plain(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
