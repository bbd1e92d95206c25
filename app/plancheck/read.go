package plancheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"errand/host/realpath"
	"errand/host/tool"
	"errand/host/tool/keyline"
	"errand/planner/message"
	"errand/planner/plan"
)

// maxFile bounds a file of cases, in bytes.
const maxFile = 64 << 20

// document is a file as it was written, and where everything in it stands.
type document struct {
	name  string
	tree  any
	lines map[string]int // "case[3].expect.status" → line
}

// Read reads the cases of one file. The error holds every fault of the file,
// each with the file, the line, the case and the field.
func Read(name string) ([]Case, error) {
	doc, err := open(name)
	if err != nil {
		return nil, err
	}
	if faults := fileRule.check(doc.tree, "", "", nil); len(faults) > 0 {
		return nil, doc.errorOf(faults)
	}
	list, _ := doc.tree.(map[string]any)["case"].([]any)
	if len(list) == 0 {
		return nil, message.Error("plan_check.no_case", "file", name)
	}
	cases := make([]Case, len(list))
	lineOfName := map[string]int{}
	var errs []error
	for i, raw := range list {
		c := &cases[i]
		c.path = fmt.Sprintf("case[%d]", i)
		c.File, c.Line = name, doc.line(c.path)
		faults := caseRule().check(raw, c.path, "", nil)
		if len(faults) == 0 {
			if faults, err = c.fill(raw); err != nil {
				return nil, err
			}
		}
		if name, _ := raw.(map[string]any)["name"].(string); name != "" {
			c.Name = name
			if line, twice := lineOfName[name]; twice {
				faults = append(faults, problem{c.path + ".name", message.New("plan_check.name_twice", "line", line)}.inField("name"))
			}
			lineOfName[name] = c.Line
		}
		if len(faults) > 0 {
			for j := range faults {
				faults[j].message = message.New("plan_check.in_case", "number", i+1, "name", c.Name, "fault", faults[j].message)
			}
			errs = append(errs, doc.errorOf(faults))
		}
	}
	return cases, errors.Join(errs...)
}

// open reads a TOML or JSON file, whichever its name says.
func open(name string) (document, error) {
	b, err := readFile(name)
	if err != nil {
		return document{}, err
	}
	doc := document{name: name}
	b = bytes.TrimPrefix(b, keyline.Mark)
	fail := func(line int, cause error) (document, error) {
		return doc, message.Error("plan_check.bad_file", "place", location(name, line), "cause", cause)
	}
	if filepath.Ext(name) != ".json" {
		if err := keyline.CheckLength(b); err != nil {
			return fail(0, err)
		}
		var tree map[string]any
		if err := toml.Unmarshal(b, &tree); err != nil {
			if d, ok := errors.AsType[*toml.DecodeError](err); ok {
				line, _ := d.Position()
				return fail(line, errors.New(strings.TrimPrefix(d.Error(), "toml: ")))
			}
			return fail(0, err)
		}
		doc.lines = keyline.Lines(b)
		if b, err = json.Marshal(tree); err != nil { // so that both formats have the same values
			return fail(0, err)
		}
	} else if doc.lines, err = jsonLines(b); err != nil {
		if at, ok := errors.AsType[*lineError](err); ok {
			return fail(at.line, at.err)
		}
		return fail(0, err)
	}
	return doc, json.Unmarshal(b, &doc.tree)
}

func readFile(name string) ([]byte, error) {
	b, err := realpath.ReadFile(name, maxFile)
	if _, tooLarge := errors.AsType[*realpath.TooLargeError](err); tooLarge {
		return nil, message.Error("plan_check.file_too_large", "file", name, "limit", maxFile)
	}
	if err != nil {
		return nil, tool.FileFault(err).Err()
	}
	return b, nil
}

// line is that of a path or of the nearest one around it; 0 where there is none.
func (d document) line(path string) int { return keyline.Nearest(d.lines, path) }

// errorOf joins faults, in the order of their lines.
func (d document) errorOf(faults []problem) error {
	slices.SortStableFunc(faults, func(a, b problem) int { return d.line(a.path) - d.line(b.path) })
	var errs []error
	for _, f := range faults {
		errs = append(errs, message.Error("plan_check.bad_file", "place", location(d.name, d.line(f.path)), "cause", f.message))
	}
	return errors.Join(errs...)
}

// Location returns the file and line of a case.
func (c Case) Location() string { return location(c.File, c.Line) }

func location(file string, line int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// fill takes over what the rules found right, and checks what they can't see:
// that the fields go together.
func (c *Case) fill(raw any) ([]problem, error) {
	b, err := json.Marshal(raw)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(b, c); err != nil {
		return []problem{{c.path, message.FromError(err)}}, nil
	}
	var faults []problem
	count := 0
	for _, set := range []bool{c.Text != "", len(c.Goals) > 0, c.Problem != nil, c.Call != nil, c.URL != ""} {
		if set {
			count++
		}
	}
	if count != 1 {
		faults = append(faults, problem{c.path, message.New("plan_check.not_one_subject", "count", count)})
	}
	if e := c.Expect; c.Call != nil || c.URL != "" {
		e.Verdict, e.Rule = nil, nil
		if !reflect.DeepEqual(e, Expect{}) || c.World != nil || c.Capabilities != nil {
			faults = append(faults, problem{c.path, message.New("plan_check.only_decision")})
		}
	}
	if c.Expect.empty() {
		faults = append(faults, problem{c.path + ".expect", message.New("plan_check.nothing_expected", "fields", expectFields)}.inField("expect"))
	}
	if c.Problem != nil && (c.Expect.Interpretation != nil || c.Expect.Goals != nil || c.Expect.Verdict != nil || c.Expect.Rule != nil) {
		faults = append(faults, problem{c.path + ".expect", message.New("plan_check.problem_has_no_words")}.inField("expect"))
	}
	return append(faults, c.loadCapabilities()...), nil
}

func (c *Case) loadCapabilities() []problem {
	raw := bytes.TrimSpace(c.Capabilities)
	fail := func(m message.Message) []problem {
		return []problem{problem{c.path + ".capabilities", m}.inField("capabilities")}
	}
	var name string
	switch {
	case len(raw) == 0 || string(raw) == `"default"`:
		if c.Problem != nil {
			return fail(message.New("plan_check.problem_needs_tools"))
		}
		return nil
	case json.Unmarshal(raw, &name) == nil:
		doc, err := open(filepath.Join(filepath.Dir(c.File), name))
		if err != nil {
			return fail(message.FromError(err))
		}
		if faults := toolsRule().check(doc.tree, "", "", nil); len(faults) > 0 {
			return fail(message.FromError(doc.errorOf(faults)))
		}
		if raw, err = json.Marshal(doc.tree); err != nil {
			return fail(message.FromError(err))
		}
	}
	c.caps = []plan.Capability{}
	if err := json.Unmarshal(raw, &c.caps); err != nil {
		return fail(message.FromError(err))
	}
	return nil
}
