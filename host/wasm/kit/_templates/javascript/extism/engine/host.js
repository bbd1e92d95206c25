// The host's functions, as any Extism host has them. op.NAME is the number of an operation
// of abi.wat.

import { allocate, text, withText } from "./memory.js";


function put(content) {
  return withText(content, (at, length) => host(op.alloc, at, length));
}

function take(block) {
  if (block === 0) return undefined;
  const copy = allocate(host(op.length, block));
  host(op.load_u8, block, copy.at);
  host(op.free, block);
  return text(copy.bytes);
}

/** The call's arguments as JSON. */
export function input() {
  const copy = allocate(host(op.input_length));
  host(op.input_load_u8, copy.at);
  return text(copy.bytes);
}

/** Sets the payload, which is JSON. */
export function output(json) {
  const block = put(json);
  host(op.output_set, block, host(op.length, block));
}

/** Sets the error. */
export const fail = (message) => void host(op.error_set, put(message));

/** A value of [config] in plugin.toml, or what the person set; undefined if there is none. */
export const config = (key) => take(host(op.config_get, put(String(key))));

/** Variables live as long as the instance. */
export const getVar = (key) => take(host(op.var_get, put(key)));
export const setVar = (key, value) => void host(op.var_set, put(key), value === undefined ? 0 : put(value));

/** Each writes a line to the log. */
export const info = (line) => void host(op.log_info, put(line));
export const warn = (line) => void host(op.log_warn, put(line));
export const error = (line) => void host(op.log_error, put(line));

/** Sends a request to one of the manifest's hosts. */
export function fetch(url, { method = "GET", headers = {}, body } = {}) {
  const block = host(op.http_request, put(JSON.stringify({ url, method, headers })), body === undefined ? 0 : put(body));
  return { status: host(op.http_status_code), body: take(block) ?? "" };
}
