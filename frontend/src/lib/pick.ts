// Files that a person chooses in the browser's own dialog.

/** A transcript is a sentence; this is far more, in bytes. */
export const MAX_TEXT = 64 * 1024;

/** Lets the person choose one file; null: none. Call it in answer to a key or a click. */
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

/** The beginning of a file as text: what is too long to be meant is cut, and then fails where it is read. */
export const textOf = (file: Blob): Promise<string> => file.slice(0, MAX_TEXT).text();
