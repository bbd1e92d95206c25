// Functions that would take a host down with them, and one that tells whether
// anything of an earlier call is left.

typedef unsigned long long u64;

#define IMPORT(name) __attribute__((import_module("extism:host/env"), import_name(#name)))
#define EXPORT(name) __attribute__((export_name(#name)))
#define APART __attribute__((noinline))

IMPORT(alloc) u64 alloc(u64);
IMPORT(reset) void reset_host(void);
IMPORT(log_warn) void log_warn(u64);
IMPORT(output_set) void output_set(u64, u64);
IMPORT(var_set) void var_set(u64, u64);
IMPORT(store_u64) void store_u64(u64, u64);

static volatile int sink;
static int calls;

EXPORT(good) int good(void) { return calls++; }

EXPORT(loop) int loop(void) {
	for (;;) sink++;
}

// A tree of calls without a loop or a recursion, four to the twentieth.
#define LEVEL(n, below) APART static void f##n(void) { below(); below(); below(); below(); }
APART static void f0(void) { sink++; }
LEVEL(1, f0) LEVEL(2, f1) LEVEL(3, f2) LEVEL(4, f3) LEVEL(5, f4) LEVEL(6, f5) LEVEL(7, f6) LEVEL(8, f7) LEVEL(9, f8) LEVEL(10, f9)
LEVEL(11, f10) LEVEL(12, f11) LEVEL(13, f12) LEVEL(14, f13) LEVEL(15, f14) LEVEL(16, f15) LEVEL(17, f16) LEVEL(18, f17) LEVEL(19, f18) LEVEL(20, f19)
EXPORT(tree) int tree(void) { f20(); return 0; }

APART static int down(int n) { return n == -1 ? 0 : down(n + 1) + sink; }
EXPORT(recurse) int recurse(void) { return down(0); }

// Two calls each, to a depth that is allowed: a tree by recursion.
APART static void both(int n) {
	sink++;
	if (n > 0) {
		both(n - 1);
		both(n - 1);
	}
}
EXPORT(forks) int forks(void) { both(60); return 0; }

EXPORT(divide) int divide(void) {
	for (u64 n = ~0ull;; n--) sink = (int)(n / (sink | 1u));
}

#define PAGES 448 // 28 MiB
static char *grown(void) {
	return (char *)(__builtin_wasm_memory_grow(0, PAGES) * 65536);
}
EXPORT(fill) int fill(void) {
	char *p = grown();
	for (;;) __builtin_memset(p, sink++, PAGES * 65536);
}
EXPORT(copy) int copy(void) {
	char *p = grown();
	for (;;) __builtin_memcpy(p, p + PAGES * 32768 + (sink++ & 1), PAGES * 32768 - 1);
}
EXPORT(miss) int miss(void) {
	char *p = grown();
	for (unsigned at = 0;; at = (at + 4097 * 61) % (PAGES * 65536)) p[at]++;
}
EXPORT(grow) int grow(void) {
	for (;;) __builtin_wasm_memory_grow(0, 1);
}

EXPORT(logs) int logs(void) {
	for (;;) log_warn(0);
}
EXPORT(allocs) int allocs(void) {
	for (;;) alloc(1 << 20);
}
EXPORT(resets) int resets(void) {
	for (;;) {
		alloc(1 << 20);
		reset_host();
	}
}
EXPORT(output) int output(void) {
	output_set(alloc(8 << 20), 8 << 20);
	return 0;
}
EXPORT(vars) int vars(void) {
	for (u64 n = 1;; n++) {
		u64 key = alloc(8), value = alloc(64 << 10);
		store_u64(key, n);
		var_set(key, value);
	}
}
EXPORT(trap) int trap(void) { __builtin_trap(); }
