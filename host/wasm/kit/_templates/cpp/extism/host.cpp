#include "host.hpp"

#include <cstdint>

// Texts pass through a memory of their own: a handle is the address of one, 0 is none.
#define HOST(name) __attribute__((import_module("extism:host/env"), import_name(#name)))

extern "C" {
HOST(alloc) uint64_t host_alloc(uint64_t length);
HOST(length) uint64_t host_length(uint64_t at);
HOST(load_u8) uint32_t host_load(uint64_t at);
HOST(store_u8) void host_store(uint64_t at, uint32_t byte);
HOST(input_length) uint64_t host_input_length(void);
HOST(input_load_u8) uint32_t host_input_load(uint64_t index);
HOST(output_set) void host_output_set(uint64_t at, uint64_t length);
HOST(error_set) void host_error_set(uint64_t at);
HOST(config_get) uint64_t host_config_get(uint64_t key);
}

static uint64_t put(std::string_view text) {
	uint64_t at = host_alloc(text.size());
	for (size_t i = 0; i < text.size(); i++) {
		host_store(at + i, static_cast<unsigned char>(text[i]));
	}
	return at;
}

std::string host::input() {
	std::string text(host_input_length(), '\0');
	for (size_t i = 0; i < text.size(); i++) {
		text[i] = char(host_input_load(i));
	}
	return text;
}

int host::output(std::string_view json) {
	host_output_set(put(json), json.size());
	return 0;
}

int host::fail(std::string_view message) {
	host_error_set(put(message));
	return 1;
}

std::string host::config(std::string_view key) {
	uint64_t at = host_config_get(put(key));
	std::string text(host_length(at), '\0');
	for (size_t i = 0; i < text.size(); i++) {
		text[i] = char(host_load(at + i));
	}
	return text;
}
