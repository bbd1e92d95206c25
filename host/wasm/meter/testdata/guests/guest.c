// Built by: clang --target=wasm32 -O2 -nostdlib -Wl,--no-entry
typedef unsigned char u8;
typedef unsigned int u32;
#define EXPORT(name) __attribute__((export_name(name)))

static u8 data[1 << 20];
static u32 numbers[1 << 15];

EXPORT("bytes") u32 bytes(void) {
  u32 n = 0;
  for (u32 i = 0; i < sizeof data; i++) {
    data[i] += 17;
    u8 c = data[i] | 0x20;
    n += c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
  }
  return n;
}

EXPORT("mix") u32 mix(void) {
  u32 h = 2166136261u;
  for (u32 i = 0; i < 1 << 20; i++) h = (h ^ (i & 255)) * 16777619u;
  return h;
}

EXPORT("grid") u32 grid(void) {
  for (u32 i = 0; i < 180; i++)
    for (u32 j = 0; j < 180; j++) numbers[i * 180 + j] = i * j;
  u32 sum = 0;
  for (u32 i = 0; i < 90; i++)
    for (u32 j = 0; j < 90; j++)
      for (u32 k = 0; k < 90; k++) sum += numbers[i * 180 + k] * numbers[k * 180 + j];
  return sum;
}

static u32 fib(u32 n) { return n < 2 ? 1 : fib(n - 1) + fib(n - 2); }
static u32 (*volatile step)(u32) = fib; // keeps the compiler from seeing through it

EXPORT("calls") u32 calls(void) { return step(24); }

static void sort(u32 *a, int from, int to) {
  while (from < to) {
    u32 p = a[(from + to) / 2];
    int i = from, j = to;
    while (i <= j) {
      while (a[i] < p) i++;
      while (a[j] > p) j--;
      if (i <= j) {
        u32 t = a[i];
        a[i++] = a[j];
        a[j--] = t;
      }
    }
    sort(a, from, j);
    from = i;
  }
}

EXPORT("order") u32 order(void) {
  u32 x = 1;
  for (u32 i = 0; i < 1 << 15; i++) numbers[i] = x = x * 1664525u + 1013904223u;
  sort(numbers, 0, (1 << 15) - 1);
  return numbers[12345];
}
