// A plugin of hyper-mcp, version 1: describe and call, answers in flat blocks.
typedef unsigned char u8;
typedef unsigned long long u64;

#define HOST(name) __attribute__((import_module("extism:host/env"), import_name(#name)))
#define PLUGIN(name) __attribute__((export_name(#name)))

HOST(alloc) extern u64 alloc(u64 n);
HOST(load_u8) extern u8 load_u8(u64 at);
HOST(store_u8) extern void store_u8(u64 at, u8 v);
HOST(input_offset) extern u64 input_offset(void);
HOST(input_length) extern u64 input_length(void);
HOST(output_set) extern void output_set(u64 at, u64 n);
HOST(config_get) extern u64 config_get(u64 key);
HOST(error_set) extern void error_set(u64 at);

static u64 size(const char *s) {
  u64 n = 0;
  while (s[n]) n++;
  return n;
}

static u64 text(const char *s) {
  u64 n = size(s), at = alloc(n);
  for (u64 i = 0; i < n; i++) store_u8(at + i, s[i]);
  return at;
}

static int answer(const char *s) {
  output_set(text(s), size(s));
  return 0;
}

// has reports whether the input has the text in it.
static int has(const char *s) {
  u64 n = size(s);
  for (u64 from = 0; from + n <= input_length(); from++) {
    u64 i = 0;
    while (i < n && load_u8(input_offset() + from + i) == (u8)s[i]) i++;
    if (i == n) return 1;
  }
  return 0;
}

PLUGIN(describe) int describe(void) {
  if (input_length() != 0) {
    error_set(text("describe takes no input"));
    return 1;
  }
  // What it offers depends on its settings; and not every schema is one.
  if (config_get(text("more")))
    return answer("{\"tools\":[{\"name\":\"more\",\"description\":\"More\",\"inputSchema\":{\"type\":\"object\","
                  "\"properties\":{\"n\":{\"type\":\"numbr\"}}}}]}");
  return answer(
      "{\"tools\":["
      "{\"name\":\"think\",\"description\":\"Says the thought\\nback\",\"inputSchema\":{\"type\":\"object\","
      "\"properties\":{\"thought\":{\"type\":\"string\"}},\"required\":[\"thought\"]}},"
      "{\"name\":\"picture\",\"description\":\"A picture\",\"inputSchema\":{}},"
      "{\"name\":\"fail\",\"description\":\"Fails\",\"inputSchema\":{\"type\":\"object\"}},"
      "{\"name\":\"break\",\"description\":\"Breaks\",\"inputSchema\":{\"type\":\"object\"}}]}");
}

PLUGIN(call) int call(void) {
  if (!has("{\"params\":{\"name\":")) {
    error_set(text("no params"));
    return 1;
  }
  if (has("\"name\":\"think\""))
    return answer(has("\"thought\":\"deep\"") ? "{\"content\":[{\"type\":\"text\",\"text\":\"a deep thought\"}]}"
                                             : "{\"content\":[{\"type\":\"text\",\"text\":\"[1, 2]\"}],\"isError\":false}");
  if (has("\"name\":\"picture\""))
    return answer("{\"content\":[{\"type\":\"text\",\"text\":\"here\"},{\"type\":\"image\",\"data\":\"aGk=\",\"mimeType\":\"image/png\"},"
                  "{\"type\":\"resource\",\"text\":\"inside\",\"mimeType\":\"text/plain\"}]}");
  if (has("\"name\":\"fail\""))
    return answer("{\"content\":[{\"type\":\"text\",\"text\":\"no such thing\"}],\"isError\":true}");
  error_set(text("it broke"));
  return -1;
}
