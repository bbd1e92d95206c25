// A WASI command in AssemblyScript, by WASI's own functions.
// @ts-ignore: decorator
@external("wasi_snapshot_preview1", "fd_read")
declare function fd_read(fd: u32, vectors: usize, count: usize, read: usize): u32;
// @ts-ignore: decorator
@external("wasi_snapshot_preview1", "fd_write")
declare function fd_write(fd: u32, vectors: usize, count: usize, written: usize): u32;

const vector = memory.data(8);
const count = memory.data(4);

function read(): string {
  const buffer = new ArrayBuffer(1 << 16);
  let end: u32 = 0;
  for (;;) {
    store<usize>(vector, changetype<usize>(buffer) + end);
    store<usize>(vector + 4, buffer.byteLength - end);
    if (fd_read(0, vector, 1, count) != 0) break;
    const n = load<u32>(count);
    if (n == 0) break;
    end += n;
  }
  return String.UTF8.decode(buffer.slice(0, end));
}

function write(fd: u32, text: string): void {
  const bytes = String.UTF8.encode(text);
  store<usize>(vector, changetype<usize>(bytes));
  store<usize>(vector + 4, bytes.byteLength);
  fd_write(fd, vector, 1, count);
}

export function _start(): void {
  const input = read();
  write(2, "ran\n");
  if (input.includes('"fail"')) {
    write(1, '{"ok":false,"error":{"code":"refused","message":"it failed"}}');
  } else {
    write(1, '{"ok":true,"payload":{"length":' + String.UTF8.byteLength(input).toString() + "}}");
  }
}

export function abort(message: string | null, file: string | null, line: u32, column: u32): void {
  unreachable();
}
