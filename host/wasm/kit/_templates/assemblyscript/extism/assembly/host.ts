// The functions of every Extism host. Texts are passed in a memory of their own; a
// handle is the offset of a text, and 0 means no text. @extism/as-pdk wraps them
// all, HTTP included.

@external("extism:host/env", "alloc")
declare function hostAlloc(length: u64): u64;
@external("extism:host/env", "length")
declare function hostLength(at: u64): u64;
@external("extism:host/env", "load_u8")
declare function hostLoad(at: u64): u32;
@external("extism:host/env", "store_u8")
declare function hostStore(at: u64, byte: u32): void;
@external("extism:host/env", "input_length")
declare function hostInputLength(): u64;
@external("extism:host/env", "input_load_u8")
declare function hostInputLoad(index: u64): u32;
@external("extism:host/env", "output_set")
declare function hostOutput(at: u64, length: u64): void;
@external("extism:host/env", "error_set")
declare function hostError(at: u64): void;
@external("extism:host/env", "log_error")
declare function hostLog(at: u64): void;
@external("extism:host/env", "config_get")
declare function hostConfig(key: u64): u64;

/** The call's arguments as JSON. */
export function input(): string {
  const b = new Uint8Array(<i32>hostInputLength());
  for (let i = 0; i < b.length; i++) b[i] = <u8>hostInputLoad(i);
  return String.UTF8.decode(b.buffer);
}

/** Sets the payload and returns the exit code of a success. */
export function output(json: string): i32 {
  const at = put(json);
  hostOutput(at, hostLength(at));
  return 0;
}

/** Sets the error and returns the exit code of a failure. */
export function fail(message: string): i32 {
  hostError(put(message));
  return 1;
}

/** The user's setting of a key, or its default in plugin.toml. */
export function config(key: string): string {
  const at = hostConfig(put(key));
  const b = new Uint8Array(<i32>hostLength(at));
  for (let i = 0; i < b.length; i++) b[i] = <u8>hostLoad(at + i);
  return String.UTF8.decode(b.buffer);
}

function put(text: string): u64 {
  const b = Uint8Array.wrap(String.UTF8.encode(text));
  const at = hostAlloc(b.length);
  for (let i = 0; i < b.length; i++) hostStore(at + i, b[i]);
  return at;
}

/** Logs an error that ends a call, such as an index out of range. */
export function abort(message: string | null, file: string | null, line: u32, column: u32): void {
  hostLog(put((message ? message : "abort") + " at " + (file ? file : "?") + ":" + line.toString() + ":" + column.toString()));
  unreachable();
}
