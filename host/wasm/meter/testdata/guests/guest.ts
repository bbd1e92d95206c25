// Built by: asc --runtime incremental -O3
const data = new Uint8Array(1 << 20);
const numbers = new Uint32Array(1 << 15);

export function bytes(): u32 {
  let n: u32 = 0;
  for (let i = 0; i < data.length; i++) {
    data[i] += 17;
    const c = data[i] | 0x20;
    if (c == 97 || c == 101 || c == 105 || c == 111 || c == 117) n++;
  }
  return n;
}

export function mix(): u32 {
  let h: u32 = 2166136261;
  for (let i: u32 = 0; i < 1 << 20; i++) h = (h ^ (i & 255)) * 16777619;
  return h;
}

export function grid(): u32 {
  const m: u32[][] = [];
  for (let i: u32 = 0; i < 90; i++) {
    const row: u32[] = [];
    for (let j: u32 = 0; j < 90; j++) row.push(i * j);
    m.push(row);
  }
  let sum: u32 = 0;
  for (let i = 0; i < 90; i++)
    for (let j = 0; j < 90; j++)
      for (let k = 0; k < 90; k++) sum += m[i][k] * m[k][j];
  return sum;
}

function fib(n: u32): u32 {
  return n < 2 ? 1 : fib(n - 1) + fib(n - 2);
}
let n: u32 = 24;
export function calls(): u32 {
  return fib(n);
}

export function order(): u32 {
  let x: u32 = 1;
  for (let i = 0; i < numbers.length; i++) {
    x = x * 1664525 + 1013904223;
    numbers[i] = x;
  }
  numbers.sort();
  return numbers[12345];
}

export function words(): u32 {
  let text = "";
  for (let i = 0; i < 300; i++) text += "w" + ((i * 7) % 101).toString() + " ";
  const count = new Map<string, i32>();
  const all = text.split(" ");
  for (let i = 0; i < all.length; i++) count.set(all[i], 1);
  return count.size;
}
