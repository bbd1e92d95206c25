#include "host.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Texts are passed in a memory of their own; a handle is the offset of a text,
// and 0 means no text.
#define HOST(name) __attribute__((import_module("extism:host/env"), import_name(#name))) extern

HOST(alloc) uint64_t host_alloc(uint64_t length);
HOST(length) uint64_t host_length(uint64_t at);
HOST(load_u8) uint32_t host_load(uint64_t at);
HOST(store_u8) void host_store(uint64_t at, uint32_t byte);
HOST(input_length) uint64_t host_input_length(void);
HOST(input_load_u8) uint32_t host_input_load(uint64_t index);
HOST(output_set) void host_output_set(uint64_t at, uint64_t length);
HOST(error_set) void host_error_set(uint64_t at);
HOST(config_get) uint64_t host_config_get(uint64_t key);

static char *text_of(uint64_t length) {
	char *text = malloc((size_t)length + 1);
	if (text == NULL) {
		abort();
	}
	text[length] = '\0';
	return text;
}

static uint64_t put(const char *text) {
	uint64_t at = host_alloc(strlen(text));
	for (size_t i = 0; text[i] != '\0'; i++) {
		host_store(at + i, (unsigned char)text[i]);
	}
	return at;
}

char *host_input(void) {
	uint64_t length = host_input_length();
	char *text = text_of(length);
	for (uint64_t i = 0; i < length; i++) {
		text[i] = (char)host_input_load(i);
	}
	return text;
}

int host_output(const char *json) {
	host_output_set(put(json), strlen(json));
	return 0;
}

int host_fail(const char *message) {
	host_error_set(put(message));
	return 1;
}

char *host_config(const char *key) {
	uint64_t at = host_config_get(put(key)), length = host_length(at);
	char *text = text_of(length);
	for (uint64_t i = 0; i < length; i++) {
		text[i] = (char)host_load(at + i);
	}
	return text;
}
