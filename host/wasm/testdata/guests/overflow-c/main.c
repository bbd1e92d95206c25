// A WASI command that uses up its own stack, which lies in its memory.
#include <stdio.h>

static int down(int n) {
  volatile char room[4096];
  room[n & 4095] = (char)n;
  return n <= 0 ? room[0] : down(n - 1) + room[n & 4095];
}

int main(void) {
  printf("%d\n", down(1 << 20));
  return 0;
}
