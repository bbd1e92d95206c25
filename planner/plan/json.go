package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// marshal is json.Marshal without HTML escaping: a URL's & stays an &.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Canonical is the JSON of v with sorted keys, no insignificant space and no
// HTML escapes: equal values have equal bytes. Digests are taken over it.
func Canonical(v any) ([]byte, error) {
	b, err := marshal(v)
	if err != nil {
		return nil, err
	}
	var tree any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		return nil, err
	}
	return marshal(tree) // encoding/json sorts the keys of maps
}

// cloneArgs copies args into plain JSON values, so that a plan shares nothing
// with its maker and two equal plans are equal in every type.
func cloneArgs(args map[string]any) (map[string]any, error) {
	out := make(map[string]any, len(args))
	for k, v := range args {
		c, err := cloneValue(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k, err)
		}
		out[k] = c
	}
	return out, nil
}

func cloneValue(v any) (any, error) {
	switch v := v.(type) {
	case nil, string, bool, float64:
		return v, nil
	case map[string]any:
		return cloneArgs(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			c, err := cloneValue(v[i])
			if err != nil {
				return nil, err
			}
			out[i] = c
		}
		return out, nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var out any
	err = json.Unmarshal(b, &out)
	return out, err
}
