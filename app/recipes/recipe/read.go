package recipe

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"errand/host/tool/keyline"
	"errand/planner/message"
)

func nearest(lines map[string]int, key string) int { return keyline.Nearest(lines, key) }

// Read reads a recipe; file is its name in messages. The error is an [*Error] with all
// problems, except those that depend on the tools: see [Recipe.Check].
func Read(file string, b []byte) (*Recipe, error) {
	r, f := parse(file, b)
	if err := f.err(); err != nil {
		return nil, err
	}
	return r, nil
}

// parse reads as much of a recipe as possible; nil if that is nothing.
func parse(file string, b []byte) (*Recipe, *problemList) {
	f := &problemList{file: file}
	switch {
	case len(b) > MaxBytes:
		f.addAt("", message.New("recipes.file_too_large", "size", len(b), "limit", MaxBytes))
		return nil, f
	case !utf8.Valid(b):
		f.addAt("", message.New("recipes.file_not_utf8"))
		return nil, f
	}
	if err := keyline.CheckLength(b); err != nil {
		f.addAt("", message.FromError(err))
		return nil, f
	}
	var tree map[string]any
	if err := toml.Unmarshal(b, &tree); err != nil {
		line := 0
		if d, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, _ = d.Position()
		}
		f.all = append(f.all, Problem{line, message.Verbatim(strings.TrimPrefix(err.Error(), "toml: "))})
		return nil, f
	}
	f.lines = keyline.Lines(b)
	r := &Recipe{file: file, lines: f.lines}
	f.read(r, tree)
	f.checkRecipe(r)
	return r, f
}

// table is a table of the file that is being decoded. Keys that are used are valid or
// reported; the remaining ones are unknown.
type table struct {
	f    *problemList
	path string
	m    map[string]any
	keys []string // that were used
}

func (f *problemList) table(path string, v any) *table {
	m, ok := v.(map[string]any)
	if !ok {
		f.addAt(path, message.New("recipes.not_a_table", "key", lastKey(path)))
		m = map[string]any{}
	}
	return &table{f, path, m, nil}
}

func lastKey(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

func (t *table) keyAt(key string) string {
	if t.path == "" {
		return key
	}
	return t.path + "." + key
}

func (t *table) take(key string) (any, bool) {
	t.keys = append(t.keys, key)
	v, ok := t.m[key]
	return v, ok
}

func (t *table) text(key string, into *string) {
	v, ok := t.take(key)
	if !ok {
		return
	}
	if *into, ok = v.(string); !ok {
		t.f.addAt(t.keyAt(key), message.New("recipes.key_not_text", "key", key, "value", v))
	}
}

func (t *table) rejectUnknownKeys() {
	for _, key := range slices.Sorted(maps.Keys(t.m)) {
		if slices.Contains(t.keys, key) {
			continue
		}
		m := message.New("recipes.unknown_key", "key", key, "known", t.keys)
		if near := message.Nearest(key, t.keys); near != "" {
			m = message.New("recipes.unknown_key_near", "key", key, "near", near)
		}
		t.f.addAt(t.keyAt(key), m)
	}
}

func (f *problemList) read(r *Recipe, tree map[string]any) {
	t := f.table("", tree)
	if v, ok := t.take("schema"); !ok {
		f.addAt("", message.New("recipes.no_schema", "schema", Schema))
	} else if n, isInt := v.(int64); !isInt || n != Schema {
		f.addAt("schema", message.New("recipes.unknown_schema", "found", v, "known", Schema))
	}
	t.text("name", &r.Name)
	t.text("description", &r.Description)
	if v, ok := t.take("params"); ok {
		params := f.table("params", v)
		for name := range params.m {
			r.Params = append(r.Params, f.param(name, params.m[name]))
		}
		slices.SortFunc(r.Params, func(a, b Param) int {
			if la, lb := f.lines["params."+a.Name], f.lines["params."+b.Name]; la != lb {
				return la - lb
			}
			return strings.Compare(a.Name, b.Name)
		})
	}
	v, ok := t.take("step")
	list, isList := v.([]any)
	if ok && !isList {
		f.addAt("step", message.New("recipes.step_not_list"))
	}
	for i, s := range list {
		r.Steps = append(r.Steps, f.step(i, s))
	}
	t.rejectUnknownKeys()
}

var paramForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`) })

func (f *problemList) param(name string, v any) Param {
	path := "params." + name
	if !paramForm().MatchString(name) {
		f.addAt(path, message.New("recipes.bad_parameter_name", "name", name))
	}
	p := Param{Name: name, Type: String}
	t := f.table(path, v)
	kind := string(String)
	t.text("type", &kind)
	if p.Type = Kind(kind); !slices.Contains(kinds(), kind) {
		f.addAt(path+".type", message.New("recipes.unknown_type", "type", kind, "known", kinds()))
		p.Type = String
	}
	t.text("description", &p.Description)
	t.text("pattern", &p.Pattern)
	if p.Pattern != "" {
		if _, err := regexp.Compile(p.Pattern); err != nil {
			f.addAt(path+".pattern", message.New("recipes.bad_pattern", "cause", err))
			p.Pattern = ""
		} else if p.Type == Bool || p.Type == Int {
			f.addAt(path+".pattern", message.New("recipes.pattern_not_allowed", "type", p.Type))
		}
	}
	if d, ok := t.take("default"); ok {
		if n, isInt := d.(int64); isInt {
			d = int(n)
		}
		if p.Type == Secret {
			f.addAt(path+".default", message.New("recipes.default_of_secret"))
		} else if why := p.problem(d); !why.IsZero() {
			f.addAt(path+".default", message.New("recipes.bad_default", "fault", why))
		} else {
			p.Default = d
		}
	}
	if _, ok := t.m["secret"]; ok {
		f.addAt(path+".secret", message.New("recipes.key_secret"))
		delete(t.m, "secret")
	}
	t.rejectUnknownKeys()
	return p
}

var idForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,31}$`) })

func (f *problemList) step(i int, v any) Step {
	path := fmt.Sprintf("step[%d]", i)
	t := f.table(path, v)
	s := Step{ID: fmt.Sprintf("a%d", i+1), Args: map[string]any{}}
	t.text("id", &s.ID)
	if !idForm().MatchString(s.ID) {
		f.addAt(path+".id", message.New("recipes.bad_step_id", "id", s.ID))
	}
	if t.text("tool", &s.Tool); s.Tool == "" {
		f.addAt(path, message.New("recipes.no_tool", "step", s.ID))
	}
	t.text("description", &s.Description)
	if v, ok := t.take("args"); ok {
		args := f.table(path+".args", v)
		s.Args = f.toJSONValue(path+".args", args.m).(map[string]any)
	}
	if v, ok := t.take("depends_on"); ok {
		s.DependsOn = []string{}
		list, isList := v.([]any)
		if !isList {
			f.addAt(path+".depends_on", message.New("recipes.depends_not_list"))
		}
		for j, e := range list {
			id, isText := e.(string)
			if !isText {
				f.addAt(fmt.Sprintf("%s.depends_on[%d]", path, j), message.New("recipes.depends_not_id", "value", e))
				continue
			}
			s.DependsOn = append(s.DependsOn, id)
		}
	}
	if v, ok := t.take("target"); ok {
		at := f.table(path+".target", v)
		s.Target = &Target{}
		at.text("role", &s.Target.Role)
		at.text("name", &s.Target.Name)
		at.text("host", &s.Target.Host)
		at.rejectUnknownKeys()
		if *s.Target == (Target{}) {
			f.addAt(path+".target", message.New("recipes.empty_target"))
		}
	}
	t.rejectUnknownKeys()
	return s
}

// toJSONValue converts TOML values to JSON values: whole numbers become float64, as in
// decoded JSON. Dates are an error.
func (f *problemList) toJSONValue(path string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = f.toJSONValue(path+"."+k, e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = f.toJSONValue(fmt.Sprintf("%s[%d]", path, i), e)
		}
		return out
	case int64:
		if v > 1<<53 || v < -1<<53 {
			f.addAt(path, message.New("recipes.number_too_large", "number", v))
		}
		return float64(v)
	case string, bool:
		return v
	case float64:
		if v != v || v > 1e300 || v < -1e300 {
			f.addAt(path, message.New("recipes.number_not_json", "number", v))
			return 0.0
		}
		return v
	}
	f.addAt(path, message.New("recipes.not_an_argument", "value", v))
	return fmt.Sprint(v)
}

// checkRecipe checks the parts of a recipe against each other.
func (f *problemList) checkRecipe(r *Recipe) {
	switch {
	case r.Name == "":
		f.addAt("", message.New("recipes.no_name"))
	case !ValidName(r.Name):
		f.addAt("name", message.New("recipes.bad_name_key", "name", r.Name))
	}
	if len(r.Params) > MaxParams {
		f.addAt("params", message.New("recipes.too_many_parameters", "count", len(r.Params), "limit", MaxParams))
	}
	switch n := len(r.Steps); {
	case n == 0:
		f.addAt("", message.New("recipes.no_step"))
	case n > MaxSteps:
		f.addAt("step", message.New("recipes.too_many_steps", "count", n, "limit", MaxSteps))
	}
	known := map[string]bool{}
	for i := range r.Steps {
		s := &r.Steps[i]
		path := fmt.Sprintf("step[%d]", i)
		if known[s.ID] {
			f.addAt(path+".id", message.New("recipes.step_id_twice", "id", s.ID))
		}
		if s.DependsOn == nil {
			s.DependsOn = []string{}
			if i > 0 {
				s.DependsOn = []string{r.Steps[i-1].ID}
			}
		}
		for j, id := range s.DependsOn {
			if !known[id] {
				f.addAt(fmt.Sprintf("%s.depends_on[%d]", path, j), message.New("recipes.depends_on_missing", "id", id))
			}
		}
		known[s.ID] = true
	}
	f.placeholders(r)
}
