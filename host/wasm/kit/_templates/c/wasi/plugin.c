// A plugin. Each call starts this program: it reads a JSON object from standard
// input and writes one to standard output. Standard error is the log.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

// read_all returns all of standard input.
static char *read_all(void) {
	size_t room = 4096, used = 0, n;
	char *text = malloc(room + 1);
	while (text != NULL && (n = fread(text + used, 1, room - used, stdin)) > 0) {
		if ((used += n) == room) {
			text = realloc(text, (room *= 2) + 1);
		}
	}
	if (text != NULL) {
		text[used] = '\0';
	}
	return text;
}

int main(void) {
	char *call = read_all();
	if (call == NULL) {
		fprintf(stderr, "out of memory\n");
		return 2;
	}
	// json_text(json_get(call, "tool")) is the name of the called tool; this plugin has only one.
	char *name = json_text(json_get(json_get(call, "args"), "name"));
	char *greeting = json_text(json_get(json_get(call, "config"), "greeting"));
	if (name[strspn(name, " \t\r\n")] == '\0') {
		printf("{\"ok\":false,\"error\":{\"code\":\"no_name\",\"message\":\"the name is empty\",\"recoverable\":true}}\n");
		return 0;
	}
	size_t room = strlen(greeting) + strlen(name) + 4;
	char *text = malloc(room);
	if (text == NULL) {
		return 2;
	}
	snprintf(text, room, "%s, %s!", greeting, name);
	printf("{\"ok\":true,\"payload\":{\"text\":%s}}\n", json_quote(text));
	return 0;
}
