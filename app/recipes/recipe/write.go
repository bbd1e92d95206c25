package recipe

import (
	"bytes"
	"math"

	"github.com/pelletier/go-toml/v2"

	"errand/host/tool"
	"errand/planner/message"
)

type fileForm struct {
	Schema      int                  `toml:"schema"`
	Name        string               `toml:"name"`
	Description string               `toml:"description,omitempty"`
	Params      map[string]paramFile `toml:"params,omitempty"`
	Steps       []stepForm           `toml:"step"`
}

type paramFile struct {
	Type        Kind   `toml:"type"`
	Description string `toml:"description,omitempty"`
	Default     any    `toml:"default,omitempty"`
	Pattern     string `toml:"pattern,omitempty"`
}

type stepForm struct {
	ID          string         `toml:"id"`
	Tool        string         `toml:"tool"`
	Description string         `toml:"description,omitempty"`
	DependsOn   []string       `toml:"depends_on"`
	Args        map[string]any `toml:"args,omitempty"`
	Target      *targetForm    `toml:"target,omitempty"`
}

type targetForm struct {
	Role string `toml:"role,omitempty"`
	Name string `toml:"name,omitempty"`
	Host string `toml:"host,omitempty"`
}

// TOML returns the recipe as a file. Reading it gives the same recipe.
func (r *Recipe) TOML() ([]byte, error) {
	form := fileForm{Schema: Schema, Name: r.Name, Description: r.Description}
	if len(r.Params) > 0 {
		form.Params = map[string]paramFile{}
	}
	for _, p := range r.Params {
		form.Params[p.Name] = paramFile{p.Type, p.Description, p.Default, p.Pattern}
	}
	for _, s := range r.Steps {
		f := stepForm{ID: s.ID, Tool: s.Tool, Description: s.Description, DependsOn: s.DependsOn}
		if f.DependsOn == nil {
			f.DependsOn = []string{}
		}
		f.Args, _ = toTOMLNumbers(s.Args).(map[string]any)
		if s.Target != nil {
			t := targetForm(*s.Target)
			f.Target = &t
		}
		form.Steps = append(form.Steps, f)
	}
	var b bytes.Buffer
	e := toml.NewEncoder(&b)
	e.SetArraysMultiline(false)
	if err := e.Encode(form); err != nil {
		return nil, message.Error("recipes.write_recipe", "name", r.Name, "cause", err)
	}
	return b.Bytes(), nil
}

// toTOMLNumbers converts whole numbers in arguments to TOML integers.
func toTOMLNumbers(v any) any {
	return tool.MapLeaves(v, func(leaf any) any {
		if n, ok := leaf.(float64); ok && n == math.Trunc(n) && math.Abs(n) <= 1<<53 {
			return int64(n)
		}
		return leaf
	})
}
