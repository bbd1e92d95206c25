package manifest

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"errand/host/tool/schema"
	"errand/planner/message"
	"errand/policy"
)

var (
	idPattern     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`) })
	digestPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{64}$`) })
	// Semantic versions and shorter ones: 1, 1.2, 1.2.0-rc.1+linux. The version is
	// part of a folder's name.
	versionPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^v?[0-9]+(\.[0-9]+)*([-+][0-9A-Za-z]+([.+-][0-9A-Za-z]+)*)?$`)
	})
	keyPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`) })
)

// Ranges of a plugin's limits. Memory ranges from one WebAssembly page to all
// pages.
const (
	MinMemory       Size = 64 << 10
	MaxMemory       Size = 4 << 30
	MaxTimeoutMS         = 24 * 3600 * 1000
	maxBytes        Size = 1 << 30 // for data in memory: output, body, variables
	maxFuel              = 1 << 53 // the largest exact integer in JSON
	maxHTTPRequests      = 100_000
	maxLogLines          = 1_000_000
	maxInstances         = 64
	maxOpenFiles         = 65_536
	maxQuota        Size = 1 << 50
	maxVersion           = 64 // characters
)

// ValidID reports whether id is a valid plugin id.
func ValidID(id string) bool { return idPattern().MatchString(id) }

// check returns all errors of the manifest.
func (m *Manifest) check() faults {
	var f faults
	f.require(m.Schema != 0, "schema", message.New("manifest.schema"))
	f.require(m.Schema == 0 || m.Schema == 1, "schema", message.New("manifest.schema_must_be_1", "schema", m.Schema))
	f.require(ValidID(m.ID), "id", message.New("manifest.id", "id", m.ID))
	f.require(m.Version != "", "version", message.New("manifest.version"))
	f.require(m.Version == "" || versionPattern().MatchString(m.Version) && len(m.Version) <= maxVersion, "version",
		message.New("manifest.version_is_no_version", "version", fmt.Sprintf("%.80q", m.Version), "version2", maxVersion))
	f.require(m.Module != "", "module", message.New("manifest.module", "file", File))
	f.require(m.Module == "" || fs.ValidPath(m.Module) && m.Module != "." && !strings.ContainsAny(m.Module, `/\`) && !strings.ContainsFunc(m.Module, unicode.IsControl), "module",
		message.New("manifest.module_must_be_name", "module", m.Module, "file", File))
	f.require(m.SHA256 == "" || digestPattern().MatchString(m.SHA256), "sha256", message.New("manifest.sha256", "sha256", m.SHA256))
	f.require(m.ABI != "", "abi", message.New("manifest.abi"))
	f.require(m.ABI == "" || m.ABI == WASI || m.ABI == Extism || m.ABI == HyperMCP, "abi", message.New("manifest.abi_is_not_wasi", "abi", m.ABI))
	f.require(m.State == Fresh || m.State == Sticky, "state", message.New("manifest.state", "state", m.State))
	f.require(m.State != Sticky || m.ABI != WASI, "state", message.New("manifest.state_sticky_needs_abi"))
	f.require(m.Warmup == "" || m.ABI != WASI, "warmup", message.New("manifest.warmup"))
	f.require(m.Warmup == "" || m.State != Sticky, "warmup", message.New("manifest.warmup_needs_state_fresh"))
	f.require(len(m.Hosts) == 0 || m.ABI != WASI, "hosts", message.New("manifest.hosts"))
	for i, h := range m.Hosts {
		_, err := policy.ParsePattern(h)
		f.require(err == nil, fmt.Sprintf("hosts[%d]", i), message.New("manifest.hosts_pattern", "value", h, "cause", err))
	}
	m.checkPaths(&f)
	m.checkLimits(&f)
	m.checkConfig(&f)
	m.checkTools(&f)
	return f
}

// rooted reports whether a root works on every machine: a name, or a complete path
// without "..".
func rooted(root string) bool {
	if strings.Contains(root, "=") { // a grant is written ROOT=FOLDER
		return false
	}
	slashed := strings.ReplaceAll(root, `\`, "/")
	if !strings.Contains(slashed, "/") {
		return root != "." && root != ".." && root != "~"
	}
	rest, whole := strings.CutPrefix(slashed, "~/")
	if !whole {
		rest, whole = strings.CutPrefix(slashed, "/")
	}
	if !whole && len(slashed) > 3 && slashed[1:3] == ":/" { // a drive's
		rest, whole = slashed[3:], true
	}
	return whole && fs.ValidPath(strings.TrimSuffix(rest, "/"))
}

func (m *Manifest) checkPaths(f *faults) {
	roots := map[string]bool{}
	for i, p := range m.Paths {
		key := fmt.Sprintf("paths[%d]", i)
		f.require(p.Root != "", key+".root", message.New("manifest.paths_root_is_missing"))
		f.require(len(p.Root) <= 256 && !strings.ContainsFunc(p.Root, unicode.IsControl) && strings.TrimSpace(p.Root) == p.Root,
			key+".root", message.New("manifest.paths_root_must_be", "root", fmt.Sprintf("%.40q", p.Root)))
		f.require(p.Root == "" || rooted(p.Root), key+".root",
			message.New("manifest.paths_root_must_be_files", "root", fmt.Sprintf("%.40q", p.Root)))
		f.require(!roots[p.Root] || p.Root == "", key+".root", message.New("manifest.paths_root_is_there", "root", fmt.Sprintf("%.40q", p.Root)))
		roots[p.Root] = true
		f.require(p.Mode == "ro" || p.Mode == "rw", key+".mode", message.New("manifest.paths_mode_is_not", "mode", p.Mode))
		if p.Mode == "ro" {
			f.require(p.Quota == 0, key+".quota", message.New("manifest.paths_quota_is_for"))
			f.require(p.MaxFile == 0, key+".max_file", message.New("manifest.paths_max_file_is"))
		}
		f.require(p.Quota <= maxQuota, key+".quota", message.New("manifest.paths_quota_is_more", "quota", p.Quota, "quota2", maxQuota))
		f.require(p.MaxFile <= p.Quota || p.Quota == 0, key+".max_file", message.New("manifest.paths_max_file_is_more", "max_file", p.MaxFile, "quota", p.Quota))
	}
}

func (m *Manifest) checkLimits(f *faults) {
	l := m.Limits
	f.require(l.Memory >= MinMemory, "limits.memory", message.New("manifest.limits_memory_is_less", "memory", l.Memory, "min_memory", MinMemory))
	for _, s := range []struct {
		key         string
		value, most Size
	}{
		{"limits.memory", l.Memory, MaxMemory},
		{"limits.output", l.Output, maxBytes},
		{"limits.http_body", l.HTTPBody, maxBytes},
		{"limits.vars", l.Vars, maxBytes},
	} {
		f.require(s.value <= s.most, s.key, message.New("manifest.is_more_than", "key", s.key, "value", s.value, "most", s.most))
	}
	for _, n := range []struct {
		key                string
		value, least, most int
	}{
		{"limits.timeout_ms", l.TimeoutMS, 1, MaxTimeoutMS},
		{"limits.fuel", l.Fuel, 0, maxFuel},
		{"limits.http_requests", l.HTTPRequests, 1, maxHTTPRequests},
		{"limits.log_lines", l.LogLines, 1, maxLogLines},
		{"limits.instances", l.Instances, 1, maxInstances},
		{"limits.open_files", l.OpenFiles, 1, maxOpenFiles},
	} {
		f.require(n.value >= n.least && n.value <= n.most, n.key, message.New("manifest.is_not_between_and", "key", n.key, "value", n.value, "least", n.least, "most", n.most))
	}
}

// zeros refuses ambiguous limits of 0.
func (m *Manifest) zeros(at map[string]int) (f faults) {
	l := m.Limits
	none := map[string]bool{
		"limits.memory": l.Memory == 0, "limits.timeout_ms": l.TimeoutMS == 0, "limits.output": l.Output == 0,
		"limits.http_body": l.HTTPBody == 0, "limits.http_requests": l.HTTPRequests == 0, "limits.vars": l.Vars == 0,
		"limits.log_lines": l.LogLines == 0, "limits.instances": l.Instances == 0, "limits.open_files": l.OpenFiles == 0,
	}
	for i, p := range m.Paths {
		none[fmt.Sprintf("paths[%d].quota", i)] = p.Quota == 0
		none[fmt.Sprintf("paths[%d].max_file", i)] = p.MaxFile == 0
	}
	for i, t := range m.Tools {
		none[fmt.Sprintf("tool[%d].timeout_ms", i)] = t.TimeoutMS == 0
	}
	for key, zero := range none {
		_, written := at[key]
		name := key
		if table, last, ok := strings.Cut(key, "]."); ok {
			table, _, _ = strings.Cut(table, "[")
			name = "[[" + table + "]]: " + last
		}
		f.require(!zero || !written, key, message.New("manifest.cant_be_0_leave", "name", name))
	}
	return f
}

func (m *Manifest) checkConfig(f *faults) {
	for _, k := range slices.Sorted(maps.Keys(m.Config)) {
		c, key := m.Config[k], "config."+k
		switch {
		case !keyPattern().MatchString(k):
			f.require(false, key, message.New("manifest.config_key_must_be", "value", k))
		case !slices.Contains([]string{"string", "int", "bool", "secret"}, c.Type):
			f.require(false, key+".type", message.New("manifest.type_is_not_string", "key", key, "type", c.Type))
		case c.Type == "secret" && c.Default != nil:
			f.require(false, key+".default", message.New("manifest.secret_has_no_default", "key", key))
		case c.Type == "secret" && m.ABI == WASI:
			f.require(false, key+".type", message.New("manifest.secret_needs_abi_extism", "key", key))
		case c.Type != "secret" && len(c.Hosts) > 0:
			f.require(false, key+".hosts", message.New("manifest.hosts_are_for_secrets", "key", key))
		case c.Default != nil && !c.Fits(c.Default):
			f.require(false, key+".default", message.New("manifest.default_is_not_type", "key", key, "default", c.Default, "type", c.Type))
		}
		for i, h := range c.Hosts {
			_, err := policy.ParsePattern(h)
			f.require(err == nil, fmt.Sprintf("%s.hosts[%d]", key, i), message.New("manifest.hosts_pattern_2", "key", key, "value", h, "cause", err))
		}
	}
}

// Kind describes the values of the setting.
func (c Config) Kind() string {
	switch c.Type {
	case "int":
		return "a whole number"
	case "bool":
		return "true or false"
	}
	return "a text in quotes"
}

// Fits reports whether v has the setting's type.
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

// owns reports whether a tool's name starts with the plugin's id, so that a
// pattern such as "files.*" matches only one plugin.
func (m *Manifest) owns(name string) bool {
	rest, ok := strings.CutPrefix(name, m.ID)
	return ok && (rest == "" || rest[0] == '.' && len(rest) > 1)
}

// proper returns the name that a tool should have.
func (m *Manifest) proper(name string) string {
	if _, last, ok := strings.Cut(name, "."); ok && last != "" {
		name = last
	}
	return m.ID + "." + name
}

func (m *Manifest) checkTools(f *faults) {
	f.require(len(m.Tools) > 0, "", message.New("manifest.there_is_no_tool"))
	seen := map[string]bool{}
	for i, t := range m.Tools {
		key := fmt.Sprintf("tool[%d]", i)
		where := "tool " + t.Name
		if t.Name == "" {
			where = fmt.Sprintf("[[tool]] %d", i+1)
		}
		require := func(ok bool, at string, m message.Message) {
			f.require(ok, key+"."+at, "%s: "+format, append([]any{where}, args...)...)
		}
		require(t.TimeoutMS >= 0 && t.TimeoutMS <= MaxTimeoutMS, "timeout_ms", message.New("manifest.timeout_ms", "timeout_ms", t.TimeoutMS, "max_timeout_ms", MaxTimeoutMS))
		spec := m.Spec(t)
		spec.TimeoutMS, spec.ArgsSchema = 1, json.RawMessage("{}") // of which more is said here
		for _, fault := range spec.Faults() {
			require(false, fault.Key, message.Verbatim(fault.Message))
		}
		require(!seen[t.Name] || t.Name == "", "name", message.New("manifest.name"))
		seen[t.Name] = true
		require(m.owns(t.Name) || t.Name == "" || !ValidID(m.ID), "name", message.New("manifest.plugins_tools_are_named", "name", m.proper(t.Name)))
		require(t.Description != "", "description", message.New("manifest.description"))
		require(m.ABI != Extism || t.Function != "", "function", message.New("manifest.function"))
		require(m.ABI != HyperMCP || t.Function != "", "function", message.New("manifest.function_is_missing_plugins"))
		require(m.ABI != WASI || t.Function == "" || t.Function == "_start", "function",
			message.New("manifest.function_is_for_abi"))
		require(m.Warmup == "" || t.Function != m.Warmup, "function", message.New("manifest.function_is_warmup_which", "function", t.Function))
		if flaw := schema.Vet([]byte(t.ArgsSchema)); flaw != nil {
			lines := 1 + strings.Count(t.ArgsSchema[:flaw.Offset], "\n")
			*f = append(*f, fault{key + ".args_schema", fmt.Sprintf("%s: args_schema: %s", where, flaw.Message), lines})
		}
		m.checkBack(f, key, t)
		m.checkCases(f, key, where, t)
	}
}
