// The benchmark's plugin in AssemblyScript.
import { Host } from "@extism/as-pdk";

export function empty(): i32 {
  return 0;
}

export function echo(): i32 {
  Host.output(Host.input());
  return 0;
}

function count(at: usize, n: i32): i32 {
  let found = 0;
  for (let i = 0; i < n; i++) {
    const c = load<u8>(at + i) | 32;
    if (c == 97 || c == 101 || c == 105 || c == 111 || c == 117) found++;
  }
  return found;
}

export function vowels(): i32 {
  const input = Host.input();
  return count(input.dataStart, input.length) & 0;
}

const scanned = new StaticArray<u8>(1 << 20);

export function scan(n: i32): i32 {
  return count(changetype<usize>(scanned), n);
}

export function abort(message: string | null, file: string | null, line: u32, column: u32): void {
  unreachable();
}
