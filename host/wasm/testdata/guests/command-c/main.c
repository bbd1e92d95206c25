// An ordinary WASI command, which knows nothing of Errand:
//
//   command args ARG…           prints its arguments, one a line in brackets
//   command cat                 prints its standard input
//   command find [-c] -- TEXT FILE…  prints the lines that contain TEXT; exits with 1 without one
//   command copy FROM TO        copies a file
#include <stdio.h>
#include <string.h>

static int copy(FILE *from, FILE *to) {
  int c;
  while ((c = getc(from)) != EOF) putc(c, to);
  return 0;
}

static int fail(const char *what, const char *name) {
  fprintf(stderr, "command: %s: %s\n", name, what);
  return 2;
}

static int find(int argc, char **argv) {
  int count = 0, found = 0, at = 0;
  if (at < argc && strcmp(argv[at], "-c") == 0) count = 1, at++;
  if (at < argc && strcmp(argv[at], "--") == 0) at++;
  if (at >= argc) return fail("missing", "TEXT");
  const char *text = argv[at++];
  for (; at < argc; at++) {
    FILE *f = fopen(argv[at], "r");
    if (!f) return fail("cannot be opened", argv[at]);
    char line[1024];
    while (fgets(line, sizeof line, f))
      if (strstr(line, text)) {
        found++;
        if (!count) printf("%s: %s", argv[at], line);
      }
    fclose(f);
  }
  if (count) printf("%d\n", found);
  return found == 0;
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "";
  if (strcmp(name, "args") == 0) {
    for (int i = 2; i < argc; i++) printf("[%s]\n", argv[i]);
    return 0;
  }
  if (strcmp(name, "cat") == 0) return copy(stdin, stdout);
  if (strcmp(name, "find") == 0) return find(argc - 2, argv + 2);
  if (strcmp(name, "copy") == 0 && argc == 4) {
    FILE *from = fopen(argv[2], "r"), *to = fopen(argv[3], "w");
    if (!from) return fail("cannot be opened", argv[2]);
    if (!to) return fail("cannot be written", argv[3]);
    return copy(from, to);
  }
  return fail("unknown command", name);
}
