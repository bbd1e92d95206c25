// Package jsonstrict reads JSON without the silent changes of encoding/json: duplicate
// keys, keys in another letter case, integers that float64 can't hold, and invalid
// characters.
package jsonstrict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"errand/planner/message"
)

// Decode decodes one JSON value. Numbers become float64. An integer that float64 can't
// represent with the same digits becomes a string of its digits. A number beyond the range
// of float64 is an error.
func Decode(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, message.Error("json.several_values")
	}
	return ConvertNumbers(v)
}

// ConvertNumbers converts the numbers of v, which a decoder with UseNumber made, as
// [Decode] does. It changes the maps and lists of v in place.
func ConvertNumbers(v any) (any, error) {
	return walkNumbers(v, "", func(at string, n json.Number) (any, error) {
		f, err := n.Float64()
		switch {
		case err != nil:
			return nil, message.Error("json.bad_number", "number", n.String())
		case !isExact(n, f):
			return n.String(), nil
		}
		return f, nil
	})
}

// RequireExactNumbers is like [ConvertNumbers] but returns an error for a number that
// would become a string. The error says where the number is.
func RequireExactNumbers(v any) (any, error) {
	return walkNumbers(v, "", func(at string, n json.Number) (any, error) {
		f, err := n.Float64()
		if err != nil || !isExact(n, f) {
			return nil, message.Error("json.inexact_number", "place", at, "number", n.String())
		}
		return f, nil
	})
}

// isExact reports whether f has the digits of n, or n is not an integer.
func isExact(n json.Number, f float64) bool {
	return strings.ContainsAny(n.String(), ".eE") || strconv.FormatFloat(f, 'f', -1, 64) == n.String()
}

func walkNumbers(v any, at string, number func(at string, n json.Number) (any, error)) (any, error) {
	var err error
	switch v := v.(type) {
	case json.Number:
		return number(strings.TrimPrefix(at, "."), v)
	case map[string]any:
		for k, item := range v {
			if v[k], err = walkNumbers(item, at+"."+k, number); err != nil {
				return nil, err
			}
		}
	case []any:
		for i, item := range v {
			if v[i], err = walkNumbers(item, fmt.Sprintf("%s[%d]", at, i), number); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}
