// A small JSON reader that needs only the C library. A value is a pointer to its
// first character; NULL means no value, and every function accepts it.
#ifndef JSON_H
#define JSON_H

// json_get returns the value of a key in the object at v.
const char *json_get(const char *v, const char *key);

// json_text returns a new copy of the string at v, or "".
char *json_text(const char *v);

// json_quote returns a text as a new JSON string.
char *json_quote(const char *text);

#endif
