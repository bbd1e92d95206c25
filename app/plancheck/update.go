package plancheck

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"errand/host/atomicfile"
	"errand/host/tool/keyline"
	"errand/planner/message"
)

// Update rewrites, in a file of cases, the expected values that came out
// otherwise, and leaves everything else in it as it is.
func Update(name string, outcomes []Outcome) (changed int, err error) {
	b, err := readFile(name)
	if err != nil {
		return 0, err
	}
	if strings.HasSuffix(name, ".json") {
		b, changed, err = updateJSON(b, outcomes)
	} else {
		b, changed, err = updateTOML(name, b, outcomes)
	}
	if err != nil || changed == 0 {
		return 0, err
	}
	if err := atomicfile.Write(name, b, 0o600); err != nil {
		return 0, message.Error("plan_check.update_file", "file", name, "cause", err)
	}
	return changed, nil
}

// updateTOML replaces the lines of each value. A value ends where the next key
// or table begins, before the blank lines and comments that belong to that.
func updateTOML(name string, doc []byte, outcomes []Outcome) ([]byte, int, error) {
	at := keyline.Lines(doc)
	lines := strings.SplitAfter(string(doc), "\n")
	changed := 0
	for _, o := range outcomes {
		for _, d := range o.Diffs {
			key := o.Case.path + ".expect." + d.Field
			start, ok := at[key]
			if !ok || start == at[o.Case.path+".expect"] {
				return nil, 0, message.Error("plan_check.not_an_expect_table", "place", o.Case.Location(), "name", o.Case.Name)
			}
			end := valueEnd(at, key, lines)
			field, value, err := replacement(o, d)
			if err != nil {
				return nil, 0, err
			}
			newline := "\n"
			if strings.HasSuffix(lines[start-1], "\r\n") {
				newline = "\r\n"
			}
			lines[start-1] = ""
			if field != "" {
				text, err := tomlValue(value)
				if err != nil {
					return nil, 0, err
				}
				lines[start-1] = field + " = " + text + newline
			}
			for i := start; i < end; i++ {
				lines[i] = ""
			}
			changed++
		}
	}
	out := []byte(strings.Join(lines, ""))
	var tree map[string]any
	if err := toml.Unmarshal(out, &tree); err != nil {
		return nil, 0, message.Error("plan_check.not_updated", "file", name, "cause", err)
	}
	return out, changed, nil
}

// valueEnd is the number of the last line of a key's value. Lines of the value's
// own elements begin nothing new.
func valueEnd(at map[string]int, key string, lines []string) int {
	end := len(lines)
	for other, line := range at {
		if line > at[key] && line-1 < end && !strings.HasPrefix(other, key+"[") && !strings.HasPrefix(other, key+".") {
			end = line - 1
		}
	}
	for end > at[key] {
		text := strings.TrimSpace(lines[end-1])
		if text != "" && !strings.HasPrefix(text, "#") {
			break
		}
		end--
	}
	return end
}

// replacement returns the field and the value that replace a difference. An outcome
// without a status was not understood; then the interpretation can be expected, or
// nothing if it is expected already.
func replacement(o Outcome, d Diff) (field string, value any, err error) {
	if err := json.Unmarshal([]byte(d.Got), &value); err != nil || value != nil {
		return d.Field, value, err
	}
	if d.Field == "status" && o.Case.Expect.Interpretation == nil && o.got.Interpretation != nil {
		return "interpretation", *o.got.Interpretation, nil
	}
	return "", nil, nil
}

// tomlValue spells what was decoded from JSON as a TOML value on one line.
// Numbers, truths and texts are written in both alike.
func tomlValue(v any) (string, error) {
	switch v := v.(type) {
	case []any:
		elements := make([]string, len(v))
		for i := range v {
			var err error
			if elements[i], err = tomlValue(v[i]); err != nil {
				return "", err
			}
		}
		return "[" + strings.Join(elements, ", ") + "]", nil
	case map[string]any:
		var fields []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			value, err := tomlValue(v[key])
			if err != nil {
				return "", err
			}
			if strings.Trim(key, bareKey) != "" || key == "" {
				if key, err = tomlValue(key); err != nil {
					return "", err
				}
			}
			fields = append(fields, key+" = "+value)
		}
		if len(fields) == 0 {
			return "{}", nil
		}
		return "{ " + strings.Join(fields, ", ") + " }", nil
	case nil:
		return "", message.Error("plan_check.null")
	}
	b, err := message.EncodeJSON(v)
	return string(b), err
}

const bareKey = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

func updateJSON(doc []byte, outcomes []Outcome) ([]byte, int, error) {
	var file struct {
		Case []map[string]json.RawMessage `json:"case"`
	}
	if err := json.Unmarshal(doc, &file); err != nil {
		return nil, 0, err
	}
	changed := 0
	for i, o := range outcomes {
		expect := map[string]json.RawMessage{}
		if err := json.Unmarshal(file.Case[i]["expect"], &expect); err != nil {
			return nil, 0, err
		}
		for _, d := range o.Diffs {
			field, value, err := replacement(o, d)
			if err != nil {
				return nil, 0, err
			}
			delete(expect, d.Field)
			if field != "" {
				if expect[field], err = message.EncodeJSON(value); err != nil {
					return nil, 0, err
				}
			}
			changed++
		}
		var err error
		if file.Case[i]["expect"], err = message.EncodeJSON(expect); err != nil {
			return nil, 0, err
		}
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(file)
	return out.Bytes(), changed, err
}
