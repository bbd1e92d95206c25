#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *space(const char *p) {
	return p == NULL ? NULL : p + strspn(p, " \t\r\n");
}

// skip_text returns the end of the string at p.
static const char *skip_text(const char *p) {
	if (*p++ != '"') {
		return NULL;
	}
	for (; *p != '\0' && *p != '"'; p++) {
		if (*p == '\\' && *++p == '\0') {
			return NULL;
		}
	}
	return *p == '"' ? p + 1 : NULL;
}

// skip returns the end of the value at p.
static const char *skip(const char *p) {
	if (*p == '"') {
		return skip_text(p);
	}
	if (*p != '{' && *p != '[') {
		size_t n = strcspn(p, ",]} \t\r\n");
		return n > 0 ? p + n : NULL;
	}
	for (int depth = 0; *p != '\0';) {
		if (*p == '"') {
			if ((p = skip_text(p)) == NULL) {
				return NULL;
			}
			continue;
		}
		depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
		p++;
		if (depth == 0) {
			return p;
		}
	}
	return NULL;
}

const char *json_get(const char *v, const char *key) {
	const char *p = space(v);
	if (p == NULL || *p != '{') {
		return NULL;
	}
	do {
		const char *name = space(p + 1);
		const char *value = skip_text(name);
		if ((value = space(value)) == NULL || *value != ':') {
			return NULL;
		}
		value = space(value + 1);
		char *text = json_text(name);
		int found = strcmp(text, key) == 0;
		free(text);
		if (found) {
			return value;
		}
		p = space(skip(value));
	} while (p != NULL && *p == ',');
	return NULL;
}

static unsigned hex4(const char *p) {
	char digits[5] = {0};
	strncpy(digits, p, 4);
	return (unsigned)strtoul(digits, NULL, 16);
}

static char *utf8(char *out, unsigned c) {
	if (c < 0x80) {
		*out++ = (char)c;
		return out;
	}
	int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
	*out++ = (char)(lead[more] | c >> (6 * more));
	while (more-- > 0) {
		*out++ = (char)(0x80 | (c >> (6 * more) & 0x3f));
	}
	return out;
}

char *json_text(const char *v) {
	const char *p = space(v);
	const char *end = p == NULL ? NULL : skip_text(p);
	char *text = calloc(end == NULL ? 1 : (size_t)(end - p), 1); // never longer than it is written
	if (text == NULL) {
		abort();
	}
	if (end == NULL) {
		return text;
	}
	char *out = text;
	for (p++; p < end - 1; p++) {
		if (*p != '\\') {
			*out++ = *p;
			continue;
		}
		const char *from = "bfnrt", *to = "\b\f\n\r\t", *at = strchr(from, *++p);
		if (at != NULL) {
			*out++ = to[at - from];
		} else if (*p == 'u' && end - p > 5) {
			unsigned c = hex4(p + 1);
			p += 4;
			if (c >= 0xd800 && c < 0xdc00 && end - p > 7 && p[1] == '\\' && p[2] == 'u') { // half of a character
				c = 0x10000 + ((c - 0xd800) << 10) + (hex4(p + 3) - 0xdc00);
				p += 6;
			}
			out = utf8(out, c);
		} else {
			*out++ = *p; // the quote, the slashes
		}
	}
	return text;
}

char *json_quote(const char *text) {
	char *quoted = malloc(strlen(text) * 6 + 3);
	if (quoted == NULL) {
		abort();
	}
	char *out = quoted;
	*out++ = '"';
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\') {
			*out++ = '\\';
			*out++ = *text;
		} else if ((unsigned char)*text < 0x20) {
			out += sprintf(out, "\\u%04x", (unsigned)*text);
		} else {
			*out++ = *text;
		}
	}
	*out++ = '"';
	*out = '\0';
	return quoted;
}
