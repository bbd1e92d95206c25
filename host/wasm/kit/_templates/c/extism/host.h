// The functions of every Extism host. Extism's C PDK wraps them all, HTTP
// included.
#ifndef HOST_H
#define HOST_H

// host_input returns a new copy of the call's arguments as JSON.
char *host_input(void);

// host_output sets the payload and returns the exit code of a success.
int host_output(const char *json);

// host_fail sets the error and returns the exit code of a failure.
int host_fail(const char *message);

// host_config returns a new copy of the user's setting of a key, or of its default
// in plugin.toml, or "".
char *host_config(const char *key);

#endif
