package config

import (
	_ "embed"
	"reflect"

	"github.com/pelletier/go-toml/v2"

	"errand/planner/catalogue"
)

// Entry describes a key of errand.toml.
type Entry struct {
	Key     string // such as "policy.subresources", or "sites[].id" for a key of a list of tables
	Kind    Kind   // "" for a list of tables
	Default string // in TOML
	Choices []string
	Env     string // the environment variable that sets the key, or ""
	Doc     string
}

// Variable is an environment variable that doesn't set a key.
type Variable struct{ Name, Doc string }

// Reference describes every key, in the order of the file.
func Reference() []Entry {
	var out []Entry
	defaults, docs := Default(), readReference().Keys
	for _, key := range Keys() {
		value, err := literal(valueOf(defaults, key))
		if err != nil {
			panic(err) // defaults are valid TOML
		}
		out = append(out, Entry{key, KindOf(key), value, choicesOf(key), EnvName(key), docs[key]})
		if table, isTable := tables[key]; isTable {
			for _, name := range names(table) {
				sub := key + "[]." + name
				if typeOf(key).Kind() == reflect.Map {
					sub = key + ".NAME." + name
				}
				out = append(out, Entry{Key: sub, Doc: docs[sub]})
			}
		}
	}
	for _, name := range names(reflect.TypeFor[Plugin]()) {
		key := "plugins.ID." + name
		e := Entry{Key: key, Doc: docs[key]}
		if name == "enabled" {
			e.Kind, e.Default, e.Env = Flag, "true", EnvName(key)
		}
		out = append(out, e)
	}
	return out
}

// tables are the lists of tables whose keys are described here. docs/policy.md describes
// those of policy.rules.
var tables = map[string]reflect.Type{
	"sites":       reflect.TypeFor[catalogue.Site](),
	"apps":        reflect.TypeFor[catalogue.App](),
	"llm.prices":  reflect.TypeFor[Price](),
	"mcp.servers": reflect.TypeFor[ToolServer](),
}

//go:embed reference.toml
var referenceFile []byte

// reference is the content of reference.toml.
type reference struct {
	Variables []Variable
	Keys      map[string]string // descriptions
}

func readReference() (r reference) {
	if err := toml.Unmarshal(referenceFile, &r); err != nil {
		panic(err) // the file is part of the program
	}
	return r
}

// Variables lists the environment variables that don't set keys.
func Variables() []Variable { return readReference().Variables }
