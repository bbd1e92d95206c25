package llm

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"

	"errand/host/tool"
)

// maxWireName is the longest name of a tool that every provider takes.
const maxWireName = 64

// WireNames maps names of tools to names that every provider takes, ^[A-Za-z0-9_-]{1,64}$,
// and back. The same set of tools has the same names.
type WireNames struct {
	toWire, toTool map[string]string
}

// NewWireNames makes the names of a request's tools.
func NewWireNames(tools []tool.Spec) WireNames {
	w := WireNames{map[string]string{}, map[string]string{}}
	unique := map[string]bool{}
	for _, s := range tools {
		unique[s.Name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(unique)) {
		base := spellName(name)
		wire := base
		for n := 2; w.isTaken(wire); n++ {
			suffix := "_" + strconv.Itoa(n)
			wire = base[:min(len(base), maxWireName-len(suffix))] + suffix
		}
		w.toWire[name], w.toTool[wire] = wire, name
	}
	return w
}

func (w WireNames) isTaken(wire string) bool {
	_, ok := w.toTool[wire]
	return ok
}

// Wire returns the name that a provider sees. Tools that are not in the request, such as
// those of earlier turns, have a name too.
func (w WireNames) Wire(name string) string {
	if wire, ok := w.toWire[name]; ok {
		return wire
	}
	return spellName(name)
}

// Tool returns the tool's name. A name that is not in the request is returned as it is.
func (w WireNames) Tool(wire string) string {
	if name, ok := w.toTool[wire]; ok {
		return name
	}
	return wire
}

// spellName replaces characters that providers refuse, and shortens long names.
func spellName(name string) string {
	s := spell(name)
	if s == "" {
		s = "_"
	}
	if len(s) <= maxWireName {
		return s
	}
	sum := sha256.Sum256([]byte(name))
	return s[:maxWireName-9] + "_" + hex.EncodeToString(sum[:4])
}

func spell(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, text)
}
