#include "json.hpp"

#include <cstdint>
#include <cstdio>

namespace {

std::string_view skip_space(std::string_view v) {
	auto from = v.find_first_not_of(" \t\r\n");
	return from == v.npos ? std::string_view{} : v.substr(from);
}

// skip returns what follows the value that v begins with.
std::string_view skip(std::string_view v) {
	v = skip_space(v);
	int depth = 0;
	bool quoted = false;
	for (size_t i = 0; i < v.size(); i++) {
		char c = v[i];
		if (quoted) {
			if (c == '\\') {
				i++;
			} else if (c == '"') {
				quoted = false;
			}
		} else if (c == '"') {
			quoted = true;
		} else if (c == '{' || c == '[') {
			depth++;
		} else if (c == '}' || c == ']') {
			if (depth == 0) {
				return v.substr(i); // the end of the object around it
			}
			depth--;
		} else if (depth == 0 && (c == ',' || c == ':')) {
			return v.substr(i);
		}
	}
	return {};
}

uint32_t hex(std::string_view v) {
	uint32_t n = 0;
	for (char c : v.substr(0, 4)) {
		n = n * 16 + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	return n;
}

void append_utf8(std::string &s, uint32_t c) {
	if (c < 0x80) {
		s += char(c);
	} else if (c < 0x800) {
		s += char(0xc0 | c >> 6);
		s += char(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		s += char(0xe0 | c >> 12);
		s += char(0x80 | (c >> 6 & 0x3f));
		s += char(0x80 | (c & 0x3f));
	} else {
		s += char(0xf0 | c >> 18);
		s += char(0x80 | (c >> 12 & 0x3f));
		s += char(0x80 | (c >> 6 & 0x3f));
		s += char(0x80 | (c & 0x3f));
	}
}

}  // namespace

std::string_view json::get(std::string_view v, std::string_view key) {
	v = skip_space(v);
	if (v.empty() || v[0] != '{') {
		return {};
	}
	v = skip_space(v.substr(1));
	while (!v.empty() && v[0] == '"') {
		std::string name = text(v);
		v = skip(v);
		if (v.empty() || v[0] != ':') {
			return {};
		}
		v = skip_space(v.substr(1));
		if (name == key) {
			return v;
		}
		v = skip(v);
		if (v.empty() || v[0] != ',') {
			return {};
		}
		v = skip_space(v.substr(1));
	}
	return {};
}

std::string json::text(std::string_view v) {
	v = skip_space(v);
	std::string s;
	if (v.empty() || v[0] != '"') {
		return s;
	}
	for (size_t i = 1; i < v.size() && v[i] != '"'; i++) {
		if (v[i] != '\\' || i + 1 == v.size()) {
			s += v[i];
			continue;
		}
		switch (char c = v[++i]) {
		case 'b': s += '\b'; break;
		case 'f': s += '\f'; break;
		case 'n': s += '\n'; break;
		case 'r': s += '\r'; break;
		case 't': s += '\t'; break;
		case 'u': {
			if (i + 4 >= v.size()) {
				return s;
			}
			uint32_t code = hex(v.substr(i + 1));
			i += 4;
			if (code >> 10 == 0x36 && i + 6 < v.size() && v[i + 1] == '\\' && v[i + 2] == 'u') { // one half of a pair
				code = 0x10000 + ((code & 0x3ff) << 10) + (hex(v.substr(i + 3)) & 0x3ff);
				i += 6;
			}
			append_utf8(s, code);
			break;
		}
		default: s += c;
		}
	}
	return s;
}

std::string json::quote(std::string_view text) {
	std::string s = "\"";
	for (char c : text) {
		if (c == '"' || c == '\\') {
			s += '\\';
			s += c;
		} else if (static_cast<unsigned char>(c) < 0x20) {
			char escape[8];
			std::snprintf(escape, sizeof escape, "\\u%04x", c);
			s += escape;
		} else {
			s += c;
		}
	}
	return s + '"';
}
