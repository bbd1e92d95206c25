package calc

import (
	"embed"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"errand/planner/wordlist"
)

//go:embed words/*.toml units.toml
var files embed.FS

// role is what a phrase does in a calculation.
type role uint8

const (
	roleAsk role = iota
	roleCommand
	roleHowMany
	roleEnd
	roleFiller
	roleIn
	roleArticle
	roleOf
	roleJoint
	roleOff
	roleOperator
	roleFunction
	roleSuffix
	roleNumber
	roleMultiple
	roleFraction
	roleUnit
	roleTip
	roleAt
	roleSplit
	roleAmong
	roleShare
	roleMoney
)

// meaning is one role of a phrase, with its value, such as the symbol of a unit.
type meaning struct {
	role  role
	value string
}

// wordFile is one language file.
type wordFile struct {
	DecimalComma bool                `toml:"decimal_comma"` // 1,000 is one
	Ask          []string            `toml:"ask"`
	Command      []string            `toml:"command"`
	HowMany      []string            `toml:"how_many"`
	End          []string            `toml:"end"`
	Filler       []string            `toml:"filler"`
	In           []string            `toml:"in"`
	Article      []string            `toml:"article"`
	Of           []string            `toml:"of"`
	Off          []string            `toml:"off"`
	Joint        []string            `toml:"joint"`
	Tip          []string            `toml:"tip"`   // between a percentage and an amount
	At           []string            `toml:"at"`    // between them the other way round
	Split        []string            `toml:"split"` // before what several share
	Among        []string            `toml:"among"`
	Share        []string            `toml:"share"` // after how many share it
	Money        []string            `toml:"money"`
	Idioms       []string            `toml:"idioms"`
	Operators    map[string][]string `toml:"operators"`
	Functions    map[string][]string `toml:"functions"`
	Suffixes     map[string][]string `toml:"suffixes"`
	Numbers      map[string][]string `toml:"numbers"`
	Multiples    map[string][]string `toml:"multiples"`
	Fractions    map[string][]string `toml:"fractions"`
	Units        map[string][]string `toml:"units"`
}

// vocabulary has the phrases of all languages.
type vocabulary struct {
	phrases map[string][]meaning
	idioms  []string
	longest int // words of the longest phrase
}

// words reads the language files, at the first use.
var words = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{phrases: map[string][]meaning{}}
	wordlist.Read(files, v.add)
	for _, dimension := range units() {
		v.addPhrase(wordlist.Fold(dimension.Symbol), meaning{roleUnit, dimension.Symbol})
	}
	return v
})

func (v *vocabulary) add(f wordFile) {
	for r, list := range map[role][]string{
		roleAsk: f.Ask, roleCommand: f.Command, roleHowMany: f.HowMany, roleEnd: f.End, roleFiller: f.Filler,
		roleIn: f.In, roleArticle: f.Article, roleOf: f.Of, roleJoint: f.Joint, roleOff: f.Off,
		roleTip: f.Tip, roleAt: f.At, roleSplit: f.Split, roleAmong: f.Among, roleShare: f.Share, roleMoney: f.Money,
	} {
		v.addAll(list, meaning{r, ""})
	}
	for r, table := range map[role]map[string][]string{
		roleOperator: f.Operators, roleFunction: f.Functions, roleSuffix: f.Suffixes, roleNumber: f.Numbers, roleMultiple: f.Multiples, roleFraction: f.Fractions, roleUnit: f.Units,
	} {
		for value, list := range table {
			v.addAll(list, meaning{r, value})
		}
	}
	v.idioms = append(v.idioms, f.Idioms...)
}

func (v *vocabulary) addAll(templates []string, m meaning) {
	for _, t := range templates {
		for _, phrase := range wordlist.Expand(t) {
			v.addPhrase(phrase, m)
		}
	}
}

func (v *vocabulary) addPhrase(phrase string, m meaning) {
	if phrase == "" || slices.Contains(v.phrases[phrase], m) {
		return
	}
	v.phrases[phrase] = append(v.phrases[phrase], m)
	v.longest = max(v.longest, strings.Count(phrase, " ")+1)
}

// Unit is a unit of measurement. A value times Factor, plus Offset, is in the basic unit of the
// dimension.
type Unit struct {
	Symbol, Dimension string
	Factor, Offset    *big.Rat
}

// units reads the units, at the first use.
var units = sync.OnceValue(func() map[string]Unit {
	b, err := files.ReadFile("units.toml")
	if err != nil {
		panic(err)
	}
	var dimensions map[string]map[string]struct {
		Factor string `toml:"factor"`
		Offset string `toml:"offset"`
	}
	if err := toml.Unmarshal(b, &dimensions); err != nil {
		panic(fmt.Errorf("read units.toml: %w", err))
	}
	out := map[string]Unit{}
	for dimension, all := range dimensions {
		for symbol, u := range all {
			out[symbol] = Unit{symbol, dimension, mustRat(u.Factor), mustRat(u.Offset)}
		}
	}
	return out
})

// Symbols lists the symbols of all units, sorted.
func Symbols() []string { return slices.Sorted(maps.Keys(units())) }

// mustRat reads a number of a data file: a decimal, or two with a slash between them. "" is 0.
func mustRat(s string) *big.Rat {
	top, bottom, isFraction := strings.Cut(s, "/")
	r, ok := new(big.Rat).SetString(top)
	switch {
	case s == "":
		return new(big.Rat)
	case !ok:
		panic("calc: bad number: " + s)
	case isFraction:
		r.Quo(r, mustRat(bottom))
	}
	return r
}
