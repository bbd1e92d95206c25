package plancheck

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"errand/app/config"
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
	return changed, replaceFile(name, b)
}

// updateTOML replaces the lines of each value. A value ends where the next key
// or table begins, before the blank lines and comments that belong to that.
func updateTOML(name string, doc []byte, outcomes []Outcome) ([]byte, int, error) {
	at := config.KeyLines(doc)
	lines := strings.SplitAfter(string(doc), "\n")
	changed := 0
	for _, o := range outcomes {
		for _, d := range o.Diffs {
			key := o.Case.path + ".expect." + d.Field
			start, ok := at[key]
			if !ok || start == at[o.Case.path+".expect"] {
				return nil, 0, fmt.Errorf("%s: %q: write the expectation as a [case.expect] table to have it updated", o.Case.Where(), o.Case.Name)
			}
			end := valueEnd(at, key, lines)
			value, err := tomlValue(d)
			if err != nil {
				return nil, 0, err
			}
			newline := "\n"
			if strings.HasSuffix(lines[start-1], "\r\n") {
				newline = "\r\n"
			}
			lines[start-1] = d.Field + " = " + value + newline
			for i := start; i < end; i++ {
				lines[i] = ""
			}
			changed++
		}
	}
	out := []byte(strings.Join(lines, ""))
	var tree map[string]any
	if err := toml.Unmarshal(out, &tree); err != nil {
		return nil, 0, fmt.Errorf("update %s: nothing was written, the result would not be TOML: %w", name, err)
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

// tomlValue spells what was got as a TOML value on one line.
func tomlValue(d Diff) (string, error) {
	var v any
	if err := json.Unmarshal([]byte(d.Got), &v); err != nil {
		return "", err
	}
	if v == nil {
		v = "none"
	}
	var b bytes.Buffer
	if err := toml.NewEncoder(&b).SetTablesInline(true).Encode(map[string]any{"v": whole(v)}); err != nil {
		return "", err
	}
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(b.String()), "v =")), nil
}

// whole turns the floats of JSON back into whole numbers where they are.
func whole(v any) any {
	switch v := v.(type) {
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	case []any:
		for i := range v {
			v[i] = whole(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = whole(v[k])
		}
	}
	return v
}

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
			expect[d.Field] = json.RawMessage(d.Got)
			changed++
		}
		raw, err := json.Marshal(expect)
		if err != nil {
			return nil, 0, err
		}
		file.Case[i]["expect"] = raw
	}
	out, err := json.MarshalIndent(file, "", "  ")
	return append(out, '\n'), changed, err
}

// replaceFile writes beside and renames, so that a full disk leaves the old
// file. A link keeps pointing at the file, and the file keeps its mode.
func replaceFile(name string, b []byte) error {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return fmt.Errorf("update %s: %w", name, err)
	}
	info, err := os.Stat(real)
	if err != nil {
		return fmt.Errorf("update %s: %w", name, err)
	}
	next := real + ".new"
	if err := os.WriteFile(next, b, info.Mode().Perm()); err != nil {
		_ = os.Remove(next)
		return fmt.Errorf("update %s: %w", name, err)
	}
	return os.Rename(next, real)
}
