// A plugin: each exported function is a tool. Its arguments are the input, its
// payload is the output, both JSON. Other functions of the host are in host.h.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "json.h"

__attribute__((export_name("greet"))) int greet(void) {
	char *args = host_input();
	char *name = json_text(json_get(args, "name"));
	if (name[strspn(name, " \t\r\n")] == '\0') {
		return host_fail("the name is empty");
	}
	char *greeting = host_config("greeting");
	size_t room = strlen(greeting) + strlen(name) + 4;
	char *text = malloc(room);
	if (text == NULL) {
		return host_fail("out of memory");
	}
	snprintf(text, room, "%s, %s!", greeting, name);
	char *quoted = json_quote(text);
	room = strlen(quoted) + 16;
	char *payload = malloc(room);
	if (payload == NULL) {
		return host_fail("out of memory");
	}
	snprintf(payload, room, "{\"text\":%s}", quoted);
	return host_output(payload);
}
