package servers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"errand/host/mcp/client"
)

// maxDiffLines is the most lines of a definition that are compared one by one.
const maxDiffLines = 1000

// lines writes a definition for users, without invisible characters.
func lines(d client.Definition) []string {
	var all []string
	for line := range strings.SplitSeq(d.Description, "\n") {
		all = append(all, "description: "+visible(line))
	}
	for _, part := range []struct {
		name string
		text json.RawMessage
	}{{"inputSchema", d.InputSchema}, {"annotations", d.Annotations}} {
		var indented bytes.Buffer
		if len(part.text) == 0 || json.Indent(&indented, part.text, "", "  ") != nil {
			continue
		}
		for line := range strings.SplitSeq(part.name+": "+indented.String(), "\n") {
			all = append(all, visible(line))
		}
	}
	return all
}

// visible writes characters that can't be seen, or change the direction of others, by their number.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == ' ' || unicode.IsPrint(r) && !unicode.Is(unicode.Cf, r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\u{%X}", r)
		}
	}
	return b.String()
}

func visibleAll(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = visible(w)
	}
	return out
}

// diff compares two texts by lines: it keeps their longest common subsequence.
func diff(before, after []string) []string {
	if len(before) > maxDiffLines || len(after) > maxDiffLines {
		return slices.Concat(prefixed("- ", before), prefixed("+ ", after))
	}
	common := make([][]int, len(before)+1) // of the rests from i and j
	for i := range common {
		common[i] = make([]int, len(after)+1)
	}
	for i := len(before) - 1; i >= 0; i-- {
		for j := len(after) - 1; j >= 0; j-- {
			if before[i] == after[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var out []string
	i, j := 0, 0
	for i < len(before) && j < len(after) {
		switch {
		case before[i] == after[j]:
			out = append(out, "  "+before[i])
			i, j = i+1, j+1
		case common[i+1][j] >= common[i][j+1]:
			out = append(out, "- "+before[i])
			i++
		default:
			out = append(out, "+ "+after[j])
			j++
		}
	}
	return slices.Concat(out, prefixed("- ", before[i:]), prefixed("+ ", after[j:]))
}

func prefixed(prefix string, lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = prefix + line
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
