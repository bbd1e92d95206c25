// Files that the user chooses in the browser's dialog.

/** Limit in bytes. A transcript is a sentence, so this is more than enough. */
export const MAX_TEXT = 64 * 1024;

/**
 * Lets the user choose one file; null if the dialog is cancelled. Call it in response to a key or a
 * click.
 */
export function pick(accept: string): Promise<File | null> {
  return new Promise((resolve) => {
    const field = document.createElement('input');
    field.type = 'file';
    field.accept = accept;
    field.hidden = true;
    const chosen = (file: File | null) => {
      field.remove();
      resolve(file);
    };
    field.onchange = () => chosen(field.files?.[0] ?? null);
    field.oncancel = () => chosen(null);
    document.body.append(field);
    field.click();
  });
}

/** Reads the start of a file as text. A longer file is truncated, and parsing it then fails. */
export const textOf = (file: Blob): Promise<string> => file.slice(0, MAX_TEXT).text();
