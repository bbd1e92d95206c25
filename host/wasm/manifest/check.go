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
func (m *Manifest) check() problems {
	var f problems
	f.require(m.Schema != 0, "schema", message.New("manifest.schema_missing"))
	f.require(m.Schema == 0 || m.Schema == 1, "schema", message.New("manifest.unknown_schema", "schema", m.Schema))
	f.require(ValidID(m.ID), "id", message.New("manifest.bad_id", "id", m.ID))
	f.require(m.Version != "", "version", message.New("manifest.version_missing"))
	f.require(m.Version == "" || versionPattern().MatchString(m.Version) && len(m.Version) <= maxVersion, "version",
		message.New("manifest.bad_version", "version", truncate(m.Version, 80), "limit", maxVersion))
	f.require(m.Module != "", "module", message.New("manifest.module_missing", "file", File))
	f.require(m.Module == "" || fs.ValidPath(m.Module) && m.Module != "." && !strings.ContainsAny(m.Module, `/\`) && !strings.ContainsFunc(m.Module, unicode.IsControl), "module",
		message.New("manifest.bad_module_name", "module", m.Module, "file", File))
	f.require(m.SHA256 == "" || digestPattern().MatchString(m.SHA256), "sha256", message.New("manifest.bad_sha256", "sha256", m.SHA256))
	f.require(m.ABI != "", "abi", message.New("manifest.abi_missing"))
	f.require(m.ABI == "" || m.ABI == WASI || m.ABI == Extism || m.ABI == HyperMCP, "abi", message.New("manifest.unknown_abi", "abi", m.ABI))
	f.require(m.State == Fresh || m.State == Sticky, "state", message.New("manifest.unknown_state", "state", m.State))
	f.require(m.State != Sticky || m.ABI != WASI, "state", message.New("manifest.sticky_command"))
	f.require(m.Warmup == "" || m.ABI != WASI, "warmup", message.New("manifest.warmup_of_command"))
	f.require(m.Warmup == "" || m.State != Sticky, "warmup", message.New("manifest.sticky_warmup"))
	f.require(len(m.Hosts) == 0 || m.ABI != WASI, "hosts", message.New("manifest.hosts_of_command"))
	for i, h := range m.Hosts {
		_, err := policy.ParsePattern(h)
		f.require(err == nil, fmt.Sprintf("hosts[%d]", i), message.New("manifest.bad_host", "pattern", h, "cause", err))
	}
	m.checkLengths(&f)
	m.checkPaths(&f)
	m.checkLimits(&f)
	m.checkConfig(&f)
	m.checkTools(&f)
	m.checkPhrases(&f)
	return f
}

// isUnderRoot reports whether a root works on every machine: a name, or a complete path
// without "..".
func isUnderRoot(root string) bool {
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

func (m *Manifest) checkPaths(f *problems) {
	roots := map[string]bool{}
	for i, p := range m.Paths {
		key := fmt.Sprintf("paths[%d]", i)
		f.require(p.Root != "", key+".root", message.New("manifest.root_missing"))
		f.require(len(p.Root) <= 256 && !strings.ContainsFunc(p.Root, unicode.IsControl) && strings.TrimSpace(p.Root) == p.Root,
			key+".root", message.New("manifest.root_not_one_line", "root", truncate(p.Root, 40)))
		f.require(p.Root == "" || isUnderRoot(p.Root), key+".root",
			message.New("manifest.bad_root", "root", truncate(p.Root, 40)))
		f.require(!roots[p.Root] || p.Root == "", key+".root", message.New("manifest.root_twice", "root", truncate(p.Root, 40)))
		roots[p.Root] = true
		f.require(p.Mode == "ro" || p.Mode == "rw", key+".mode", message.New("manifest.bad_path_mode", "mode", p.Mode))
		if p.Mode == "ro" {
			f.require(p.Quota == 0, key+".quota", message.New("manifest.quota_read_only"))
			f.require(p.MaxFile == 0, key+".max_file", message.New("manifest.max_file_read_only"))
		}
		f.require(p.Quota <= maxQuota, key+".quota", message.New("manifest.quota_too_large", "quota", p.Quota, "limit", maxQuota))
		f.require(p.MaxFile <= p.Quota || p.Quota == 0, key+".max_file", message.New("manifest.max_file_above_quota", "max_file", p.MaxFile, "quota", p.Quota))
	}
}

func (m *Manifest) checkLimits(f *problems) {
	l := m.Limits
	f.require(l.Memory >= MinMemory, "limits.memory", message.New("manifest.memory_below_page", "memory", l.Memory, "limit", MinMemory))
	for _, s := range []struct {
		key         string
		value, most Size
	}{
		{"limits.memory", l.Memory, MaxMemory},
		{"limits.output", l.Output, maxBytes},
		{"limits.http_body", l.HTTPBody, maxBytes},
		{"limits.vars", l.Vars, maxBytes},
	} {
		f.require(s.value <= s.most, s.key, message.New("manifest.size_too_large", "key", s.key, "size", s.value, "limit", s.most))
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
		f.require(n.value >= n.least && n.value <= n.most, n.key, message.New("manifest.number_out_of_range", "key", n.key, "number", n.value, "least", n.least, "most", n.most))
	}
}

// zeros refuses ambiguous limits of 0.
func (m *Manifest) zeros(at map[string]int) (f problems) {
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
		f.require(!zero || !written, key, message.New("manifest.zero_limit", "key", name))
	}
	return f
}

func (m *Manifest) checkConfig(f *problems) {
	for _, k := range slices.Sorted(maps.Keys(m.Config)) {
		c, key := m.Config[k], "config."+k
		switch {
		case !keyPattern().MatchString(k):
			f.require(false, key, message.New("manifest.bad_config_key", "key", k))
		case !slices.Contains([]string{"string", "int", "bool", "secret"}, c.Type):
			f.require(false, key+".type", message.New("manifest.unknown_config_type", "key", key, "type", c.Type))
		case c.Type == "secret" && c.Default != nil:
			f.require(false, key+".default", message.New("manifest.secret_default", "key", key))
		case c.Type == "secret" && m.ABI == WASI:
			f.require(false, key+".type", message.New("manifest.secret_of_command", "key", key))
		case c.Type != "secret" && len(c.Hosts) > 0:
			f.require(false, key+".hosts", message.New("manifest.hosts_without_secret", "key", key))
		case c.Default != nil && !c.HasType(c.Default):
			f.require(false, key+".default", message.New("manifest.default_of_other_type", "key", key, "default", c.Default, "type", c.Type))
		}
		for i, h := range c.Hosts {
			_, err := policy.ParsePattern(h)
			f.require(err == nil, fmt.Sprintf("%s.hosts[%d]", key, i), message.New("manifest.bad_secret_host", "key", key, "pattern", h, "cause", err))
		}
	}
}

// HasType reports whether v has the setting's type.
func (c Config) HasType(v any) bool {
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

// ownsName reports whether a tool's name starts with the plugin's id, so that a
// pattern such as "files.*" matches only one plugin.
func (m *Manifest) ownsName(name string) bool {
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

// toolPlace is a tool in the manifest: its name, and its number from 1.
type toolPlace struct {
	name   string
	number int
}

// problem adds the tool to what is wrong with it.
func (p toolPlace) problem(m message.Message) message.Message {
	if p.name == "" {
		return message.New("manifest.in_unnamed_tool", "number", p.number, "fault", m)
	}
	return message.New("manifest.in_tool", "tool", p.name, "fault", m)
}

// truncate returns the start of a text, at most n characters.
func truncate(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}

func (m *Manifest) checkTools(f *problems) {
	f.require(len(m.Tools) > 0, "", message.New("manifest.no_tools"))
	seen := map[string]bool{}
	for i, t := range m.Tools {
		key := fmt.Sprintf("tool[%d]", i)
		where := toolPlace{t.Name, i + 1}
		require := func(ok bool, at string, m message.Message) { f.require(ok, key+"."+at, where.problem(m)) }
		require(t.TimeoutMS >= 0 && t.TimeoutMS <= MaxTimeoutMS, "timeout_ms", message.New("manifest.timeout_out_of_range", "timeout_ms", t.TimeoutMS, "limit", MaxTimeoutMS))
		spec := m.Spec(t)
		spec.TimeoutMS, spec.ArgsSchema = 1, json.RawMessage("{}") // of which more is said here
		for _, fault := range spec.Errors() {
			require(false, fault.Key, fault.Message)
		}
		require(!seen[t.Name] || t.Name == "", "name", message.New("manifest.tool_twice"))
		seen[t.Name] = true
		require(m.ownsName(t.Name) || t.Name == "" || !ValidID(m.ID), "name", message.New("manifest.tool_of_other_plugin", "name", m.proper(t.Name)))
		require(t.Description != "", "description", message.New("manifest.description_missing"))
		require(m.ABI != Extism || t.Function != "", "function", message.New("manifest.function_missing"))
		require(m.ABI != HyperMCP || t.Function != "", "function", message.New("manifest.function_of_mcp_missing"))
		require(m.ABI != WASI || t.Function == "" || t.Function == "_start", "function",
			message.New("manifest.function_of_command"))
		require(m.Warmup == "" || t.Function != m.Warmup, "function", message.New("manifest.function_is_warmup", "function", t.Function))
		if flaw := schema.Vet([]byte(t.ArgsSchema)); flaw != nil {
			lines := 1 + strings.Count(t.ArgsSchema[:flaw.Offset], "\n")
			*f = append(*f, problem{key + ".args_schema", where.problem(message.New("manifest.bad_args_schema", "fault", flaw.Message)), lines})
		}
		m.checkWrites(f, key, where, t)
		m.checkReplaces(f, key, where, t)
		m.checkPreview(f, key, where, t)
		m.checkCommandLine(f, key, where, t)
		m.checkReconcile(f, key, t)
		m.checkCases(f, key, where, t)
	}
}
