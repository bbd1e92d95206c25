// A plugin in C without a library: the ABI's imports and nothing else.
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

#define HOST(name) __attribute__((import_module("extism:host/env"), import_name(#name)))
#define PLUGIN(name) __attribute__((export_name(#name)))

HOST(alloc) extern u64 alloc(u64 n);
HOST(free) extern void release(u64 at);
HOST(length) extern u64 length(u64 at);
HOST(length_unsafe) extern u64 length_unsafe(u64 at);
HOST(load_u8) extern u8 load_u8(u64 at);
HOST(store_u8) extern void store_u8(u64 at, u8 v);
HOST(store_u64) extern void store_u64(u64 at, u64 v);
HOST(load_u64) extern u64 load_u64(u64 at);
HOST(input_offset) extern u64 input_offset(void);
HOST(input_length) extern u64 input_length(void);
HOST(output_set) extern void output_set(u64 at, u64 n);
HOST(error_set) extern void error_set(u64 at);
HOST(config_get) extern u64 config_get(u64 key);
HOST(var_get) extern u64 var_get(u64 key);
HOST(var_set) extern void var_set(u64 key, u64 value);
HOST(log_info) extern void log_info(u64 at);
HOST(http_request) extern u64 http_request(u64 req, u64 body);
HOST(http_status_code) extern u32 http_status_code(void);

static u32 calls;

static u64 text(const char *s) {
  u64 n = 0;
  while (s[n]) n++;
  u64 at = alloc(n);
  for (u64 i = 0; i < n; i++) store_u8(at + i, s[i]);
  return at;
}

// out is what the output is put together in.
static char out[4096];
static u32 end;

static void put(const char *s) {
  while (*s && end < sizeof out) out[end++] = *s++;
}

static void put_block(u64 at) {
  for (u64 i = 0, n = length(at); i < n && end < sizeof out; i++) out[end++] = load_u8(at + i);
}

static void put_number(u32 n) {
  char digits[10];
  int i = 0;
  do digits[i++] = '0' + n % 10;
  while (n /= 10);
  while (i) out[end++] = digits[--i];
}

static void finish(void) {
  u64 at = alloc(end);
  for (u32 i = 0; i < end; i++) store_u8(at + i, out[i]);
  output_set(at, end);
  end = 0;
}

static int input_is(const char *s) {
  u64 at = input_offset(), i = 0;
  for (; s[i]; i++)
    if (i >= length_unsafe(at) || load_u8(at + i) != (u8)s[i]) return 0;
  return i == length_unsafe(at);
}

PLUGIN(run) int run(void) {
  if (input_is("fail")) {
    error_set(text("it failed"));
    return 1;
  }
  u64 greeting = config_get(text("greeting"));
  calls++;
  u64 before = var_get(text("n"));
  u32 n = before ? (u32)load_u64(before) + 1 : 1;
  u64 value = alloc(8);
  store_u64(value, n);
  var_set(text("n"), value);
  log_info(text("ran"));
  if (greeting) put_block(greeting);
  else put("hello");
  put(", ");
  put_block(input_offset());
  put("! var ");
  put_number(n);
  put(", calls ");
  put_number(calls);
  finish();
  return 0;
}

// echo hands the input back as it is: an output may be any part of the memory.
PLUGIN(echo) int echo(void) {
  output_set(input_offset(), input_length());
  return 0;
}

PLUGIN(fetch) int fetch(void) {
  put("{\"url\":\"");
  put_block(input_offset());
  put("\",\"method\":\"POST\",\"headers\":{\"X-Test\":7}}");
  u64 req = alloc(end);
  for (u32 i = 0; i < end; i++) store_u8(req + i, out[i]);
  end = 0;
  u64 answer = http_request(req, text("sent"));
  release(req); // as PDKs do: the host has done so already
  put_number(http_status_code());
  put(" ");
  put_block(answer);
  finish();
  return 0;
}
