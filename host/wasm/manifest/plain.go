package manifest

import (
	"regexp"
	"strings"
)

// The decoder speaks of Go's types; a person who writes a manifest has none.
var (
	mismatch = regexp.MustCompile(`cannot decode TOML (.+?) into (?:struct field \S+ of type )?(\S+)$`)
	badStart = regexp.MustCompile(`unexpected character \S+ ('.') at start of value`)
)

// plainly says in a manifest's words what the decoder says of the value of key.
func plainly(message string, key []string) string {
	name := strings.Join(key, ".")
	if name == "" {
		name = "the value"
	}
	if m := mismatch.FindStringSubmatch(message); m != nil {
		return name + " must be " + wanted(m[2]) + ", and this is " + written(m[1])
	}
	if m := badStart.FindStringSubmatch(message); m != nil {
		return "a value can't begin with " + m[1] + "; a text needs quotes"
	}
	switch {
	case strings.HasPrefix(message, "negative integer value"):
		return name + " must not be negative"
	case strings.Contains(message, "too large to fit"):
		return "the number is too large"
	case strings.Contains(message, "cannot store an array table"):
		return name + " is one table, written with single brackets"
	case strings.Contains(message, "U+000A at start of value"):
		return "the value is missing"
	case strings.Contains(message, "strconv."), strings.Contains(message, "manifest."), strings.Contains(message, "reflect."), strings.Contains(message, "interface"):
		return name + " has a value of the wrong kind"
	}
	return message
}

// wanted names the kind of value that a Go type stands for.
func wanted(goType string) string {
	switch {
	case strings.HasSuffix(goType, "manifest.Size"):
		return `a size such as "16MiB"`
	case goType == "[]string":
		return "a list of texts"
	case strings.HasPrefix(goType, "[]"):
		return "a list of tables"
	case strings.HasPrefix(goType, "int"), strings.HasPrefix(goType, "uint"):
		return "a whole number"
	case goType == "bool":
		return "true or false"
	case strings.HasPrefix(goType, "map"), goType == "manifest.Limits", goType == "manifest.Config", goType == "manifest.Path", goType == "manifest.Tool", goType == "manifest.Case":
		return "a table"
	}
	return "a text in quotes" // string and the types made of it
}

// written names what stands in the manifest.
func written(toml string) string {
	switch toml {
	case "string":
		return "a text"
	case "integer":
		return "a whole number"
	case "float":
		return "a number with a fraction"
	case "boolean":
		return "true or false"
	case "array", "array table":
		return "a list"
	case "table", "inline table":
		return "a table"
	}
	return "a date or time"
}
