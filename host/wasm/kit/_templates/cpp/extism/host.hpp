// The host's functions, as any Extism host has them. Extism's C++ PDK wraps them all,
// HTTP included.
#pragma once

#include <string>
#include <string_view>

namespace host {

// input returns the call's arguments as JSON.
std::string input();

// output sets the payload; its result is that of a function that succeeded.
int output(std::string_view json);

// fail sets the error; its result is that of a function that failed.
int fail(std::string_view message);

// config returns a value of [config] in plugin.toml, or what the person set; "" if
// there is none.
std::string config(std::string_view key);

}  // namespace host
