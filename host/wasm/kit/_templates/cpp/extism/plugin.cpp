// A plugin: each exported function is a tool. Its arguments are the input, its
// payload is the output, both JSON. host.hpp has the functions of the host.

#include <string>

#include "host.hpp"
#include "json.hpp"

extern "C" __attribute__((export_name("greet"))) int greet() {
	std::string name = json::text(json::get(host::input(), "name"));
	if (name.find_first_not_of(" \t\r\n") == name.npos) {
		return host::fail("there is nobody to greet");
	}
	return host::output(R"({"text":)" + json::quote(host::config("greeting") + ", " + name + "!") + "}");
}
