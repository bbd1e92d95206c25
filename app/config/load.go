package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"errand/app/config/policyfile"
	"errand/host/realpath"
	"errand/host/tool/keyline"
	"errand/planner/catalogue"
	"errand/planner/message"
	"errand/policy"
)

// maxFileBytes is the maximum size of errand.toml.
const maxFileBytes = 1 << 20

// Options say where to read the configuration. The zero Options read neither a file nor
// the environment.
type Options struct {
	File string   // "": use ERRAND_CONFIG, else the platform's default, which need not exist
	Env  []string // in the format of os.Environ
	Work string   // the folder that the user is in; empty if there is none, as in the window
}

// Loaded is a valid configuration with the source of each value.
type Loaded struct {
	Config
	Paths     Paths
	Catalogue *catalogue.Catalogue // the built-in sites and apps, merged with the user's
	Gate      *policy.Policy       // the compiled [policy] table
	Rego      []policyfile.File    // the files of policy.rego
	// Granted returns the folders that tools of any run may use beside [Loaded.Roots]. Nil: none.
	Granted func() []string

	sources map[string]string
}

// Source returns the source of a key's value: "default", "errand.toml:12" or the name of
// an environment variable.
func (l *Loaded) Source(key string) string {
	if s, ok := l.sources[key]; ok {
		return s
	}
	return "default"
}

// Keys lists every key that holds a value, in the documented order.
func Keys() []string { return leafKeys(reflect.TypeFor[Config](), "") }

// Load reads the file and the environment over the defaults and validates the result. The
// error is a [Problems] with all errors, including an explicitly named file that can't be
// read. Load also fails if there is no folder for data.
func Load(o Options) (*Loaded, error) { return load(o, readFile) }

// loadAs is like Load but uses doc as the content of the file.
func loadAs(o Options, doc []byte) (*Loaded, error) {
	return load(o, func(string) ([]byte, error) { return doc, nil })
}

// Fallback returns the default configuration with this machine's folders, ignoring
// errand.toml and ERRAND_ variables. Safe mode uses it.
func Fallback(o Options) (*Loaded, error) {
	place, err := Place(o)
	if err != nil {
		return nil, err
	}
	l := &Loaded{Config: Default(), sources: map[string]string{}}
	if l.Paths, err = places(environment(o.Env)); err != nil {
		return nil, err
	}
	l.Paths.Work = o.Work
	_, err = os.Stat(place)
	l.Paths.File, l.Paths.FileExists = place, err == nil
	return l, nil
}

func load(o Options, read func(name string) ([]byte, error)) (*Loaded, error) {
	env := environment(o.Env)
	paths, err := places(env)
	if err != nil {
		return nil, err
	}
	paths.Work = o.Work
	l := &Loaded{Config: Default(), Paths: paths, sources: map[string]string{}}
	named := o.File != "" || env["ERRAND_CONFIG"] != ""
	if env["ERRAND_CONFIG"] != "" {
		l.Paths.File = env["ERRAND_CONFIG"]
	}
	if o.File != "" {
		l.Paths.File = o.File
	}
	var faults Problems
	at, whole := map[string]int{}, true // whole: every value could be decoded
	doc, err := read(l.Paths.File)
	switch {
	case err == nil:
		l.Paths.FileExists = true
		at, faults, whole = l.decode(doc)
	case errors.Is(err, fs.ErrNotExist) && !named:
	default:
		code := "config.unreadable"
		if strings.Contains(o.File, "=") {
			code = "config.unreadable_setting"
		}
		return nil, Problems{{Source: l.Paths.File, Message: message.New(code, "cause", fileFault(l.Paths.File, err))}}
	}
	faults = append(faults, l.overlay(env)...)
	if whole {
		faults = append(faults, l.check(at)...)
		l.readRego(l.reporter(at, &faults))
	}
	if len(faults) > 0 {
		slices.SortStableFunc(faults, func(a, b Problem) int { return a.Line - b.Line })
		return nil, faults
	}
	return l, nil
}

// readRego reads the files that policy.rego names.
func (l *Loaded) readRego(report reporter) {
	dir := filepath.Dir(l.Paths.File)
	for i, pattern := range l.Policy.Rego {
		full := l.Paths.Resolve(filepath.FromSlash(pattern))
		if !filepath.IsAbs(full) {
			full = filepath.Join(dir, full)
		}
		files, err := policyfile.Read(full, dir, checkPermissions)
		if err == nil {
			l.Rego = append(l.Rego, slices.DeleteFunc(files, func(f policyfile.File) bool { return slices.Contains(l.Rego, f) })...)
			err = checkTotal(l.Rego)
		}
		if err != nil {
			report(fmt.Sprintf("policy.rego[%d]", i), message.FromError(err))
		}
	}
}

func checkTotal(files []policyfile.File) error {
	total := 0
	for _, f := range files {
		total += len(f.Text)
	}
	if total > policyfile.MaxBytes || len(files) > policyfile.MaxFiles {
		return policyfile.TooMuchError()
	}
	return nil
}

func readFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxFileBytes {
		return nil, message.Error("config.file_too_large", "file", name, "size", info.Size(), "limit", maxFileBytes)
	}
	if err := checkPermissions(name, info); err != nil {
		return nil, err
	}
	return realpath.ReadFile(name, maxFileBytes)
}

// decode decodes a document over the current values. If some values can't be decoded,
// whole is false and the values must not be validated.
func (l *Loaded) decode(doc []byte) (at map[string]int, faults Problems, whole bool) {
	name := filepath.Base(l.Paths.File)
	doc = bytes.TrimPrefix(doc, keyline.Mark)
	var tree map[string]any
	if err := keyline.CheckLength(doc); err != nil {
		return nil, Problems{{Source: name, Message: message.FromError(err)}}, false
	}
	if err := toml.Unmarshal(doc, &tree); err != nil {
		return nil, Problems{decodeFault(name, err)}, false
	}
	at = keyline.Lines(doc)
	unknownKeys(tree, reflect.TypeFor[Config](), "", func(key string, m message.Message) {
		faults = append(faults, Problem{name, keyline.Nearest(at, key), key, m})
	})
	if table, ok := tree["browser"].(map[string]any); ok {
		if flag, ok := table["show"].(bool); ok {
			return at, append(faults, Problem{name, keyline.Nearest(at, showKey), showKey, formerShowFault(strconv.FormatBool(flag))}), false
		}
	}
	plugins, _ := tree["plugins"].(map[string]any)
	if err := toml.Unmarshal(doc, &l.Config); err != nil {
		return at, append(faults, decodeFault(name, err)), false
	}
	for _, id := range slices.Sorted(maps.Keys(plugins)) {
		table := plugins[id]
		if slices.Contains(names(pluginsType), id) {
			continue
		}
		plugin, err := decodePlugin(table)
		if err != nil {
			key := "plugins." + id
			faults = append(faults, Problem{name, keyline.Nearest(at, key), key, message.FromError(err)})
			continue
		}
		l.Plugins.ByID[id] = plugin
	}
	for _, key := range Keys() {
		if line, ok := at[key]; ok {
			l.sources[key] = fmt.Sprintf("%s:%d", name, line)
		} else if line, ok := at[key+"[0]"]; ok {
			l.sources[key] = fmt.Sprintf("%s:%d", name, line)
		}
	}
	return at, faults, true
}

func decodePlugin(table any) (Plugin, error) {
	p := Plugin{Enabled: true, Config: map[string]any{}}
	m, ok := table.(map[string]any)
	if !ok {
		return p, message.Error("config.plugin_not_table")
	}
	if v, ok := m["enabled"]; ok {
		if p.Enabled, ok = v.(bool); !ok {
			return p, message.Error("config.enabled_not_flag")
		}
	}
	if v, ok := m["preferred"]; ok {
		if p.Preferred, ok = v.(bool); !ok {
			return p, message.Error("config.preferred_not_flag")
		}
	}
	if v, ok := m["compile_effort"]; ok {
		n, ok := v.(int64)
		if p.CompileEffort = int(n); !ok || n < 1 || n > MaxEffort {
			return p, message.Error("config.bad_compile_effort", "limit", MaxEffort)
		}
	}
	if v, ok := m["config"]; ok {
		if p.Config, ok = v.(map[string]any); !ok {
			return p, message.Error("config.config_not_table")
		}
	}
	return p, nil
}

func decodeFault(source string, err error) Problem {
	f := Problem{Source: source, Message: describeDecodeError(strings.TrimPrefix(err.Error(), "toml: "))}
	if d, ok := errors.AsType[*toml.DecodeError](err); ok {
		f.Line, _ = d.Position()
		f.Key = strings.Join(d.Key(), ".")
	}
	return f
}

var mismatch = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^cannot (?:decode|store) TOML (\w+) (?:into|in) (?:a |the )?(?:struct field \S+ of type |Go )?(\S+).*$`)
})

// describeDecodeError replaces the decoder's Go terms in its error message.
func describeDecodeError(text string) message.Message {
	m := mismatch().FindStringSubmatch(text)
	if m == nil {
		return message.Verbatim(text)
	}
	want := map[string]string{"string": "text", "bool": "flag", "int": "number", "[]string": "texts", "slice": "list"}[m[2]]
	if want == "" && (strings.Contains(m[2], ".") || strings.HasPrefix(m[2], "map")) {
		want = "table"
	}
	return message.New("config.wrong_type", "type", m[1], "want", want)
}

// fileFault describes an error of reading the file for users.
func fileFault(file string, err error) message.Message {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return message.New("file_fault.missing", "path", file)
	case errors.Is(err, fs.ErrPermission):
		return message.New("file_fault.permission_denied", "path", file)
	}
	return message.FromError(err)
}
