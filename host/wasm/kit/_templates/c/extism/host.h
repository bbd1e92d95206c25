// The host's functions, as any Extism host has them. Extism's C PDK wraps them
// all, HTTP included.
#ifndef HOST_H
#define HOST_H

// host_input answers the call's arguments as JSON, in memory of its own.
char *host_input(void);

// host_output leaves the payload, and is what a function that worked returns.
int host_output(const char *json);

// host_fail leaves the error, and is what a function that did not work returns.
int host_fail(const char *message);

// host_config answers a value of [config] in plugin.toml, or what the person
// set, in memory of its own; "" where there is none.
char *host_config(const char *key);

#endif
