// A plugin: each call runs this program anew. One JSON object comes on standard
// input, one goes to standard output; standard error is the log.

#include <cstdio>
#include <string>

#include "json.hpp"

static std::string greet(const std::string &name, const std::string &greeting) {
	if (name.find_first_not_of(" \t\r\n") == name.npos) {
		return R"({"ok":false,"error":{"code":"no_name","message":"there is nobody to greet","recoverable":true}})";
	}
	return R"({"ok":true,"payload":{"text":)" + json::quote(greeting + ", " + name + "!") + "}}";
}

static std::string read_all() {
	std::string all;
	char part[4096];
	for (size_t n; (n = std::fread(part, 1, sizeof part, stdin)) > 0;) {
		all.append(part, n);
	}
	return all;
}

int main() {
	std::string call = read_all();
	// json::text(json::get(call, "tool")) is the name of the plugin's tool; this plugin has one.
	std::string answer = greet(json::text(json::get(json::get(call, "args"), "name")), json::text(json::get(json::get(call, "config"), "greeting")));
	std::puts(answer.c_str());
}
