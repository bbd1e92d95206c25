// Package price works out what requests to language models cost. The built-in prices are data with
// the day on which they held; users can replace them.
package price

import (
	_ "embed"
	"fmt"
	"math"
	"regexp"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"errand/host/llm"
)

// Price is what a model costs, in US dollars for a million tokens.
type Price struct {
	Model  string         `toml:"model"` // without a date at its end
	Input  float64        `toml:"input"`
	Output float64        `toml:"output"`
	Day    toml.LocalDate `toml:"day"` // on which the price held; zero: the user's
}

//go:embed prices.toml
var builtin []byte

var readBuiltin = sync.OnceValue(func() []Price {
	var file struct {
		Models []Price `toml:"models"`
	}
	if err := toml.Unmarshal(builtin, &file); err != nil {
		panic(err) // the file is part of the program
	}
	return file.Models
})

// Table has the prices of models. The zero Table has the built-in ones.
type Table struct {
	user []Price // which count first
}

// NewTable returns the built-in prices with those of the user in place of them, or beside them.
func NewTable(user []Price) Table { return Table{user} }

// version is what follows the name of a model whose price is that of the name.
var version = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`-(latest|\d{8}|\d{4}-\d{2}-\d{2})$`)
})

// Find returns the price of a model by its own name, or without the date at its end.
func (t Table) Find(model string) (Price, bool) {
	for _, name := range []string{model, version().ReplaceAllString(model, "")} {
		for _, list := range [][]Price{t.user, readBuiltin()} {
			for _, p := range list {
				if p.Model == name {
					return p, true
				}
			}
		}
	}
	return Price{}, false
}

// Cost returns what tokens of a model cost, in millionths of a US dollar, rounded up. It ignores
// discounts, for example for cached input. It returns false for a model without a price.
func (t Table) Cost(model string, u llm.Usage) (micros int64, known bool) {
	p, known := t.Find(model)
	if !known {
		return 0, false
	}
	const most = 1 << 52 // float64 is exact up to there
	return int64(math.Ceil(min(float64(u.In)*p.Input+float64(u.Out)*p.Output, most))), true
}

// Dollars writes millionths of a US dollar, such as "$0.0042" or "$12.30".
func Dollars(micros int64) string {
	dollars := float64(micros) / 1e6
	if dollars < 1 {
		return fmt.Sprintf("$%.4f", dollars)
	}
	return fmt.Sprintf("$%.2f", dollars)
}
