// The benchmark's plugin in C.

typedef unsigned char u8;
typedef unsigned long long u64;

#define HOST(name) __attribute__((import_module("extism:host/env"), import_name(#name)))
#define PLUGIN(name) __attribute__((export_name(#name)))

HOST(alloc) extern u64 alloc(u64 n);
HOST(load_u8) extern u8 load_u8(u64 at);
HOST(load_u64) extern u64 load_u64(u64 at);
HOST(store_u64) extern void store_u64(u64 at, u64 v);
HOST(store_u8) extern void store_u8(u64 at, u8 v);
HOST(input_offset) extern u64 input_offset(void);
HOST(input_length) extern u64 input_length(void);
HOST(output_set) extern void output_set(u64 at, u64 n);

static u8 buffer[1 << 20];

static int count(int n) {
	int found = 0;
	for (int i = 0; i < n; i++) {
		u8 c = buffer[i] | 32;
		if (c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u') found++;
	}
	return found;
}

static u64 input(void) {
	u64 at = input_offset(), n = input_length(), i = 0;
	if (n > sizeof buffer) n = sizeof buffer;
	for (; i + 8 <= n; i += 8) *(u64 *)(buffer + i) = load_u64(at + i);
	for (; i < n; i++) buffer[i] = load_u8(at + i);
	return n;
}

PLUGIN(empty) int empty(void) { return 0; }

PLUGIN(echo) int echo(void) {
	u64 n = input(), at = alloc(n), i = 0;
	for (; i + 8 <= n; i += 8) store_u64(at + i, *(u64 *)(buffer + i));
	for (; i < n; i++) store_u8(at + i, buffer[i]);
	output_set(at, n);
	return 0;
}

static volatile int sink;

PLUGIN(vowels) int vowels(void) {
	sink = count(input());
	return 0;
}

PLUGIN(scan) int scan(int n) { return count(n); }
