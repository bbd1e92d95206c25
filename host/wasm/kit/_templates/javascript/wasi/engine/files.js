// Files by WASI preview 1. Paths are those of the arguments: absolute, in a folder that
// the plugin was granted. op.NAME is the number of an operation of abi.wat.

import { allocate, text, withBytes, withText } from "./memory.js";

const CREATE = 1, DIRECTORY = 2, TRUNCATE = 8; // of OPEN
const rights = { read: 0x200002, list: 0x4000, write: 0x40 };
const names = { 2: "permission denied", 20: "it already exists", 31: "it is a folder", 44: "there is no such file or folder", 54: "it is not a folder", 55: "the folder is not empty", 69: "read-only", 76: "not granted" };

function check(errno, path) {
  if (errno !== 0) throw Object.assign(new Error(`${path}: ${names[errno] ?? "error " + errno}`), { errno });
}

const scratch = allocate(64); // where results go
const out = new DataView(scratch.bytes.buffer);
const outAt = scratch.at;

/** All bytes of an open file. */
export function readBytes(fd) {
  const parts = [];
  let length = 0;
  for (;;) {
    const part = allocate(65536);
    out.setUint32(0, part.at, true);
    out.setUint32(4, part.bytes.length, true);
    check(host(op.fd_read, fd, outAt, 1, outAt + 8), "descriptor " + fd);
    const n = out.getUint32(8, true);
    if (n === 0) break;
    parts.push(part.bytes.subarray(0, n));
    length += n;
  }
  const all = new Uint8Array(length);
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}

export const readAll = (fd) => text(readBytes(fd));

/** Writes a text or bytes to an open file. */
export function write(fd, content) {
  const withContent = typeof content === "string" ? withText : withBytes;
  withContent(content, (at, length) => put(fd, at, length));
}

function put(fd, at, length) {
  while (length > 0) {
    out.setUint32(0, at, true);
    out.setUint32(4, length, true);
    check(host(op.fd_write, fd, outAt, 1, outAt + 8), "descriptor " + fd);
    at += out.getUint32(8, true);
    length -= out.getUint32(8, true);
  }
}

let roots;
/** Calls use with the descriptor of a path's folder, and its path there. */
function at(path, use) {
  roots ??= granted();
  const root = roots.find(({ name }) => path === name || path.startsWith(name + "/"));
  if (root === undefined) check(76, path);
  return withText(path.slice(root.name.length + 1) || ".", (at, length) => use(root.fd, at, length));
}

function granted() {
  const list = [];
  for (let fd = 3; host(op.fd_prestat_get, fd, outAt) === 0; fd++) {
    const name = allocate(out.getUint32(4, true));
    check(host(op.fd_prestat_dir_name, fd, name.at, name.bytes.length), "descriptor " + fd);
    list.push({ fd, name: text(name.bytes).replace(/\/$/, "") });
  }
  return list;
}

function open(path, flags, right, use) {
  at(path, (dir, name, length) => check(host(op.path_open, dir, name, length, flags, right, outAt + 16), path));
  const fd = out.getUint32(16, true);
  try {
    return use(fd);
  } finally {
    host(op.fd_close, fd);
  }
}

export const readFile = (path) => open(path, 0, rights.read, readAll);
export const readFileBytes = (path) => open(path, 0, rights.read, readBytes);
export const writeFile = (path, content) => open(path, CREATE | TRUNCATE, rights.write, (fd) => write(fd, content));
export const makeFolder = (path) => at(path, (dir, name, length) => check(host(op.path_create_directory, dir, name, length), path));
export const removeFolder = (path) => at(path, (dir, name, length) => check(host(op.path_remove_directory, dir, name, length), path));
export const removeFile = (path) => at(path, (dir, name, length) => check(host(op.path_unlink_file, dir, name, length), path));
export const rename = (from, to) =>
  at(from, (dir, name, length) => at(to, (dir2, name2, length2) => check(host(op.path_rename, dir, name, length, dir2, name2, length2), from)));

/** What a path is: {kind: "file", "folder" or "other", size, modified}; undefined if it does not exist. */
export function stat(path) {
  const { at: result, bytes } = allocate(64);
  const errno = at(path, (dir, name, length) => host(op.path_filestat_get, dir, 1, name, length, result));
  if (errno === 44) return undefined;
  check(errno, path);
  const view = new DataView(bytes.buffer);
  const kind = { 3: "folder", 4: "file" }[view.getUint8(16)] ?? "other";
  return { kind, size: Number(view.getBigUint64(32, true)), modified: new Date(Number(view.getBigUint64(48, true) / 1000000n)) };
}

/** The names in a folder, sorted. */
export function list(path) {
  return open(path, DIRECTORY, rights.list, (fd) => {
    const found = [];
    const page = allocate(65536);
    const view = new DataView(page.bytes.buffer);
    for (let cookie = 0; ; ) {
      check(host(op.fd_readdir, fd, page.at, page.bytes.length, cookie, outAt), path);
      const used = out.getUint32(0, true);
      let from = 0;
      while (from + 24 <= used) {
        const end = from + 24 + view.getUint32(from + 16, true);
        if (end > used) break;
        const name = text(page.bytes.subarray(from + 24, end));
        if (name !== "." && name !== "..") found.push(name);
        cookie = Number(view.getBigUint64(from, true));
        from = end;
      }
      if (used < page.bytes.length || from === 0) return found.sort();
    }
  });
}

/** Random bytes. */
export function random(length) {
  const { at, bytes } = allocate(length);
  check(host(op.random_get, at, length), "random");
  return bytes;
}
