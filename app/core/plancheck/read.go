package plancheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"errand/app/config"
	"errand/planner/plan"
)

// maxFile bounds a file of cases.
const maxFile = 64 << 20

// Read reads the cases of one file. Errors name the file and, in TOML, the
// line.
func Read(name string) ([]Case, error) {
	b, err := readFile(name)
	if err != nil {
		return nil, err
	}
	doc, lines := b, map[string]int{}
	if filepath.Ext(name) != ".json" {
		if doc, err = toJSON(name, b); err != nil {
			return nil, err
		}
		lines = config.KeyLines(b)
	}
	var file struct {
		Case []json.RawMessage `json:"case"`
	}
	if err := strict(doc, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(file.Case) == 0 {
		return nil, fmt.Errorf("%s: holds no case; start one with [[case]]", name)
	}
	cases := make([]Case, len(file.Case))
	var errs []error
	for i, raw := range file.Case {
		c := &cases[i]
		c.path = fmt.Sprintf("case[%d]", i)
		c.File, c.Line = name, lines[c.path]
		err := strict(raw, c)
		if err == nil {
			err = c.check()
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: case %d %q: %w", c.Where(), i+1, c.Name, err))
		}
	}
	return cases, errors.Join(errs...)
}

// Where is the file and line of a case.
func (c Case) Where() string {
	if c.Line == 0 {
		return c.File
	}
	return fmt.Sprintf("%s:%d", c.File, c.Line)
}

func readFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("read the cases: %w", err)
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("%s is over %d bytes", name, maxFile)
	}
	return os.ReadFile(name)
}

// toJSON makes JSON of TOML, so that both formats have one set of rules.
func toJSON(name string, b []byte) ([]byte, error) {
	var tree map[string]any
	if err := toml.Unmarshal(b, &tree); err != nil {
		var d *toml.DecodeError
		if errors.As(err, &d) {
			line, _ := d.Position()
			return nil, fmt.Errorf("%s:%d: %s", name, line, strings.TrimPrefix(d.Error(), "toml: "))
		}
		return nil, fmt.Errorf("%s: %v", name, err)
	}
	return json.Marshal(tree)
}

func strict(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err == nil {
		return nil
	}
	message := strings.TrimPrefix(err.Error(), "json: ")
	if _, field, ok := strings.Cut(message, "unknown field "); ok {
		if near := config.Nearest(strings.Trim(field, `"`), fields); near != "" {
			message += fmt.Sprintf("; did you mean %q?", near)
		}
	}
	return errors.New(message)
}

var fields = []string{
	"case", "name", "text", "goals", "problem", "world", "capabilities", "expect", "interpretation", "status",
	"actions", "tools", "args", "depends_on", "unmet", "verdict", "rule", "call", "url", "tool", "origin", "goal", "browser_running", "browser_last_url",
	"active_window", "running_apps", "recent_facts",
}

func (c *Case) check() error {
	given := 0
	for _, set := range []bool{c.Text != "", len(c.Goals) > 0, c.Problem != nil, c.Call != nil, c.URL != ""} {
		if set {
			given++
		}
	}
	if given != 1 {
		return errors.New("give one of text, goals, problem, call and url")
	}
	if e := c.Expect; c.Call != nil || c.URL != "" {
		e.Verdict, e.Rule = nil, nil
		if !reflect.DeepEqual(e, Expect{}) || c.World != nil || c.Capabilities != nil {
			return errors.New("of a call or url only verdict and rule can be expected, and it has no world and no capabilities")
		}
	}
	for _, pair := range c.Expect.DependsOn {
		if len(pair) != 2 {
			return fmt.Errorf("depends_on %q is not a pair [needed tool, tool]", pair)
		}
	}
	return c.loadCapabilities()
}

func (c *Case) loadCapabilities() error {
	raw := bytes.TrimSpace(c.Capabilities)
	var name string
	switch {
	case len(raw) == 0 || string(raw) == `"default"`:
		if c.Problem != nil {
			return errors.New("a problem needs capabilities: the program's tools speak of goals")
		}
		return nil
	case json.Unmarshal(raw, &name) == nil:
		b, err := readFile(filepath.Join(filepath.Dir(c.File), name))
		if err != nil {
			return err
		}
		raw = b
	}
	c.caps = []plan.Capability{}
	if err := strict(raw, &c.caps); err != nil {
		return fmt.Errorf("capabilities: %w", err)
	}
	return nil
}
