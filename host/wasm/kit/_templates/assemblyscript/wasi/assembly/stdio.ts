// Standard input and output by WASI preview 1, which AssemblyScript leaves to
// libraries.

@external("wasi_snapshot_preview1", "fd_read")
declare function fdRead(fd: u32, iovs: usize, count: usize, done: usize): u32;
@external("wasi_snapshot_preview1", "fd_write")
declare function fdWrite(fd: u32, iovs: usize, count: usize, done: usize): u32;

const iov = memory.data(8); // where, how long
const done = memory.data(4);

/** Returns all of standard input. */
export function readAll(): string {
  let all = new Uint8Array(0);
  const part = new Uint8Array(4096);
  while (true) {
    store<usize>(iov, part.dataStart);
    store<usize>(iov + 4, part.length);
    const n = fdRead(0, iov, 1, done) == 0 ? load<u32>(done) : 0;
    if (n == 0) return String.UTF8.decode(all.buffer);
    const more = new Uint8Array(all.length + n);
    more.set(all);
    more.set(part.subarray(0, n), all.length);
    all = more;
  }
}

/** Writes to standard output, or to another descriptor: 2 is the log. */
export function write(text: string, fd: u32 = 1): void {
  const b = Uint8Array.wrap(String.UTF8.encode(text));
  for (let from = 0; from < b.length; from += load<u32>(done)) {
    store<usize>(iov, b.dataStart + from);
    store<usize>(iov + 4, b.length - from);
    if (fdWrite(fd, iov, 1, done) != 0) return;
  }
}

/** Logs an error that ends the program, such as an index out of range. */
export function abort(message: string | null, file: string | null, line: u32, column: u32): void {
  write((message ? message : "abort") + " at " + (file ? file : "?") + ":" + line.toString() + ":" + column.toString() + "\n", 2);
  unreachable();
}
