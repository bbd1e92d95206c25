// Texts and bytes in the memory that the program shares with WebAssembly. host() is the
// only function that engine.wat defines; its first argument says what to do.

/** A new Uint8Array and its address. */
export function allocate(length) {
  const at = host(0, length);
  return { at, bytes: new Uint8Array(host(6, at, length)) };
}

/** Calls use with the address and length of a text's bytes in UTF-8. */
export function withText(text, use) {
  if (text.includes("\0")) return withBytes(encode(text), use); // utf8 is for texts that a zero ends
  const at = host(2, text);
  try {
    return use(at, host(4, at));
  } finally {
    host(3, at);
  }
}

/** Calls use with the address and length of a copy of bytes. */
export function withBytes(bytes, use) {
  const whole = bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice();
  const at = host(7, whole.buffer);
  try {
    return use(at, whole.length);
  } finally {
    host(1, at);
  }
}

/** The text that UTF-8 bytes stand for. */
export function text(bytes) {
  const copy = allocate(bytes.length + 1);
  copy.bytes.set(bytes);
  copy.bytes[bytes.length] = 0;
  const parts = [];
  for (let from = 0; from <= bytes.length; from = copy.bytes.indexOf(0, from) + 1) parts.push(host(5, copy.at + from));
  return parts.join("\0");
}

function copyOf(at, length) {
  const copy = allocate(length);
  host(8, at, copy.at, length);
  return copy.bytes;
}

/** The bytes of a text in UTF-8. */
export function encode(text) {
  const parts = text.split("\0").map((part) => withText(part, copyOf));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length + 1, -1));
  parts.reduce((at, part) => (bytes.set(part, at), at + part.length + 1), 0);
  return bytes;
}
