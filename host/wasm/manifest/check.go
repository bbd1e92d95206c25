package manifest

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"errand/policy"
)

var (
	idPattern     = regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`)
	digestPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)
	keyPattern    = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)
)

// Bounds of a plugin's memory limit: a page of WebAssembly and all its pages.
const (
	MinMemory = 64 << 10
	MaxMemory = 4 << 30
)

// check answers everything that is wrong with the manifest.
func (m *Manifest) check() []error {
	var faults []error
	bad := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	bad(m.Schema == 1, "schema must be 1, not %d", m.Schema)
	bad(idPattern.MatchString(m.ID), "id %q must be of lower-case letters, digits and dashes, a letter first, at most 32", m.ID)
	bad(m.Version != "", "version is missing")
	bad(m.Module != "" && fs.ValidPath(m.Module) && m.Module != "." && !strings.ContainsAny(m.Module, `/\`),
		"module %q must be the name of a file beside %s", m.Module, File)
	bad(m.SHA256 == "" || digestPattern.MatchString(m.SHA256), "sha256 %q is not 64 hex digits", m.SHA256)
	bad(m.ABI == WASI || m.ABI == Extism, "abi %q is not wasi or extism", m.ABI)
	bad(m.State == Fresh || m.State == Sticky, "state %q is not fresh or sticky", m.State)
	bad(m.State != Sticky || m.ABI != WASI, "state sticky needs abi extism: a wasi command ends with each call")
	bad(len(m.Hosts) == 0 || m.ABI != WASI, "hosts need abi extism: a wasi command has no network")
	for _, h := range m.Hosts {
		_, err := policy.ParsePattern(h)
		bad(err == nil, "hosts: pattern %q: %v", h, err)
	}
	for i, p := range m.Paths {
		bad(p.Root != "", "paths[%d]: root is missing", i)
		bad(p.Mode == "ro" || p.Mode == "rw", "paths[%d]: mode %q is not ro or rw", i, p.Mode)
	}
	bad(m.Limits.Memory <= MaxMemory, "limits.memory %s is more than %s", m.Limits.Memory, Size(MaxMemory))
	bad(m.Limits.Memory >= MinMemory, "limits.memory %s is less than one page of %s", m.Limits.Memory, Size(MinMemory))
	bad(m.Limits.Output <= 1<<30, "limits.output %s is more than 1GiB", m.Limits.Output)
	bad(m.Limits.TimeoutMS > 0 && m.Limits.TimeoutMS <= 24*3600*1000, "limits.timeout_ms %d is not between 1 and a day", m.Limits.TimeoutMS)
	bad(m.Limits.Fuel == 0, "limits.fuel is not enforced yet, so it can't be asked for: leave it out and set limits.timeout_ms")
	faults = append(faults, m.checkConfig()...)
	return append(faults, m.checkTools()...)
}

func (m *Manifest) checkConfig() []error {
	var faults []error
	keys := make([]string, 0, len(m.Config))
	for k := range m.Config {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		c := m.Config[k]
		switch {
		case !keyPattern.MatchString(k):
			faults = append(faults, fmt.Errorf("config key %q must be of letters, digits, dashes and underscores, a letter first, at most 64", k))
		case !slices.Contains([]string{"string", "int", "bool", "secret"}, c.Type):
			faults = append(faults, fmt.Errorf("config.%s: type %q is not string, int, bool or secret", k, c.Type))
		case c.Type == "secret" && c.Default != nil:
			faults = append(faults, fmt.Errorf("config.%s: a secret has no default", k))
		case c.Type == "secret" && m.ABI == WASI:
			faults = append(faults, fmt.Errorf("config.%s: a secret needs abi extism: a wasi command has no network to send it over", k))
		case c.Type != "secret" && len(c.Hosts) > 0:
			faults = append(faults, fmt.Errorf("config.%s: hosts are for secrets", k))
		case c.Default != nil && !c.Fits(c.Default):
			faults = append(faults, fmt.Errorf("config.%s: default %v is not of type %s", k, c.Default, c.Type))
		}
		for _, h := range c.Hosts {
			if _, err := policy.ParsePattern(h); err != nil {
				faults = append(faults, fmt.Errorf("config.%s: hosts: pattern %q: %v", k, h, err))
			}
		}
	}
	return faults
}

// Kind says in words what the person may set.
func (c Config) Kind() string {
	switch c.Type {
	case "int":
		return "a whole number"
	case "bool":
		return "true or false"
	}
	return "a text in quotes"
}

// Fits reports whether v is a value of the type.
func (c Config) Fits(v any) bool {
	switch v.(type) {
	case string:
		return c.Type == "string" || c.Type == "secret"
	case int, int64:
		return c.Type == "int"
	case bool:
		return c.Type == "bool"
	}
	return false
}

// owns reports whether a tool's name says whose it is. What a person allows or
// denies by pattern, as in "files.*", is then one plugin's and no other's.
func (m *Manifest) owns(name string) bool {
	rest, ok := strings.CutPrefix(name, m.ID)
	return ok && (rest == "" || rest[0] == '.' && len(rest) > 1)
}

// proper is the name that a tool should have.
func (m *Manifest) proper(name string) string {
	if _, last, ok := strings.Cut(name, "."); ok && last != "" {
		name = last
	}
	return m.ID + "." + name
}

func (m *Manifest) checkTools() []error {
	var faults []error
	if len(m.Tools) == 0 {
		faults = append(faults, fmt.Errorf("there is no [[tool]]"))
	}
	seen := map[string]bool{}
	for i, t := range m.Tools {
		if err := m.Spec(t).Validate(); err != nil {
			faults = append(faults, fmt.Errorf("tool[%d]: %v", i, err))
			continue
		}
		where := "tool " + t.Name
		if seen[t.Name] {
			faults = append(faults, fmt.Errorf("%s is there twice", where))
		}
		seen[t.Name] = true
		if !m.owns(t.Name) {
			faults = append(faults, fmt.Errorf("%s: a plugin's tools are named after it: call it %q", where, m.proper(t.Name)))
		}
		if t.Description == "" {
			faults = append(faults, fmt.Errorf("%s: description is missing", where))
		}
		if m.ABI == Extism && t.Function == "" {
			faults = append(faults, fmt.Errorf("%s: function is missing (the exported function to call)", where))
		}
		if m.ABI == WASI && t.Function != "" && t.Function != "_start" {
			faults = append(faults, fmt.Errorf("%s: function is for abi extism; a wasi command is told the tool's name", where))
		}
		var schema struct{ Type string }
		if json.Unmarshal([]byte(t.ArgsSchema), &schema) != nil || schema.Type != "object" {
			faults = append(faults, fmt.Errorf(`%s: args_schema must be the JSON Schema of an object ("type": "object")`, where))
		}
		faults = append(faults, m.checkBack(t)...)
		faults = append(faults, m.checkCases(where, t)...)
	}
	return faults
}

// ValidID reports whether s can be a plugin's id.
func ValidID(s string) bool { return idPattern.MatchString(s) }
