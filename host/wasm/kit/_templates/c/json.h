// Just enough JSON for a plugin that builds with the C library alone. A value is
// where it begins in the text; NULL is none, and every function takes it.
#ifndef JSON_H
#define JSON_H

// json_get answers the value of a key of the object that begins at v.
const char *json_get(const char *v, const char *key);

// json_text answers the text at v, "" where there is none, in memory of its own.
char *json_text(const char *v);

// json_quote answers a text as JSON has it, in memory of its own.
char *json_quote(const char *text);

#endif
