// A WASI command in C.
#include <stdio.h>
#include <string.h>

int main(void) {
  static char in[1 << 16];
  size_t n = fread(in, 1, sizeof in - 1, stdin);
  fprintf(stderr, "ran\n");
  if (strstr(in, "\"fail\""))
    printf("{\"ok\":false,\"error\":{\"code\":\"refused\",\"message\":\"it failed\"}}");
  else
    printf("{\"ok\":true,\"payload\":{\"length\":%zu}}", n);
  return 0;
}
