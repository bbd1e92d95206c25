// Package jsonexact reads JSON without changing a digit of its whole numbers.
// Values are kept with float64 numbers, which hold whole numbers only to 2⁵³ each
// one; encoding/json rounds what is longer without a word, and an id becomes
// somebody else's.
package jsonexact

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Decode reads the one value of a JSON text. Numbers are float64, but for a whole
// number that a float64 would write with other digits: that is a text of its
// digits. A number beyond the range of float64 is an error.
func Decode(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more than one JSON value")
	}
	return Value(v)
}

// Value is v, as a decoder with UseNumber made it, with the numbers of [Decode].
// It changes v's maps and lists in place.
func Value(v any) (any, error) {
	return each(v, "", func(at string, n json.Number) (any, error) {
		f, err := n.Float64()
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s is no number that can be kept", n)
		case !kept(n, f):
			return n.String(), nil
		}
		return f, nil
	})
}

// Strict is [Value] but for the numbers that it makes texts: one is an error that
// says where it stands.
func Strict(v any) (any, error) {
	return each(v, "", func(at string, n json.Number) (any, error) {
		f, err := n.Float64()
		if err != nil || !kept(n, f) {
			return nil, fmt.Errorf("%s: %s is too large to be kept exactly: give it as text", at, n)
		}
		return f, nil
	})
}

// kept reports whether f is written with the digits of n, or n is not whole.
func kept(n json.Number, f float64) bool {
	return strings.ContainsAny(n.String(), ".eE") || strconv.FormatFloat(f, 'f', -1, 64) == n.String()
}

func each(v any, at string, number func(at string, n json.Number) (any, error)) (any, error) {
	var err error
	switch v := v.(type) {
	case json.Number:
		return number(strings.TrimPrefix(at, "."), v)
	case map[string]any:
		for k, item := range v {
			if v[k], err = each(item, at+"."+k, number); err != nil {
				return nil, err
			}
		}
	case []any:
		for i, item := range v {
			if v[i], err = each(item, fmt.Sprintf("%s[%d]", at, i), number); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}
