package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"errand/build/must"
)

// document is a Markdown text, split at its fenced blocks.
type document struct {
	lines  []string
	blocks []block
}

// block is one fenced block.
type block struct {
	language string
	file     string   // what the line above names, for all but console
	lines    []string // between the fences
	commands []command
	start    int // index of the first line between the fences
}

// command is a line of a console block with its output.
type command struct {
	line   string
	shown  []string // the line as it stands there, "$ " and continuations included
	output []string
	at     int // line in the document, from 1
}

var named = regexp.MustCompile("(?:^|`)([A-Za-z][A-Za-z0-9_./-]*\\.[a-z]+)`?:$")

// parseDocument finds the blocks. A block that shows a file without its name would never be
// tried, so it is an error.
func parseDocument(source string) (*document, error) {
	d := &document{lines: strings.Split(source, "\n")}
	above := ""
	for i := 0; i < len(d.lines); i++ {
		language, fence := strings.CutPrefix(d.lines[i], "```")
		if !fence {
			if strings.TrimSpace(d.lines[i]) != "" {
				above = d.lines[i]
			}
			continue
		}
		end := i + 1
		for end < len(d.lines) && d.lines[end] != "```" {
			end++
		}
		if end == len(d.lines) {
			return nil, fmt.Errorf("%d: the block has no end", i+1)
		}
		b := block{language: language, lines: d.lines[i+1 : end], start: i + 1}
		switch language {
		case "console":
			if err := b.parseConsole(); err != nil {
				return nil, err
			}
		case "sh", "": // for people alone: what installs, and drawings
		default:
			m := named.FindStringSubmatch(above)
			if m == nil {
				return nil, fmt.Errorf("%d: name the file of this %s block in the line above: `plugin.toml`:", i+1, language)
			}
			b.file = m[1]
		}
		d.blocks = append(d.blocks, b)
		i, above = end, ""
	}
	return d, nil
}

func (b *block) parseConsole() error {
	for i := 0; i < len(b.lines); i++ {
		line, isCommand := strings.CutPrefix(b.lines[i], "$ ")
		if !isCommand {
			if len(b.commands) == 0 {
				return fmt.Errorf("%d: the block starts with no command", b.start+1)
			}
			last := &b.commands[len(b.commands)-1]
			last.output = append(last.output, b.lines[i])
			continue
		}
		c := command{shown: []string{b.lines[i]}, at: b.start + i + 1}
		for strings.HasSuffix(line, "\\") && i+1 < len(b.lines) {
			i++
			line += "\n" + b.lines[i]
			c.shown = append(c.shown, b.lines[i])
		}
		c.line = line
		b.commands = append(b.commands, c)
	}
	return nil
}

// String is the document with the outputs that its commands have now.
func (d *document) String() string {
	lines := slices.Clone(d.lines)
	for _, b := range slices.Backward(d.blocks) {
		if b.language != "console" {
			continue
		}
		var inside []string
		for _, c := range b.commands {
			inside = append(append(inside, c.shown...), c.output...)
		}
		lines = slices.Replace(lines, b.start, b.start+len(b.lines), inside...)
	}
	return strings.Join(lines, "\n")
}

// volatile matches what differs from run to run.
var volatile = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\b[0-7][0-9a-hjkmnp-tv-z]{25}\b`), "ID"},
	{regexp.MustCompile(`artifacts/[0-9a-f]{2}/[0-9a-f]{64}`), "artifacts/DIGEST"},
	{regexp.MustCompile(`\bp-[0-9a-f]{16}  [0-9a-f]{64}\b`), "PLAN"},
	{regexp.MustCompile(`\b\d{4}-\d\d-\d\d\b`), "DATE"},
	{regexp.MustCompile(`\b\d\d:\d\d(:\d\d)?\b`), "TIME"},
	{regexp.MustCompile(`\b\d+m(\d+s)?\b`), "DURATION"},
	{regexp.MustCompile(`\b\d+(\.\d+)?( s| ms|ms)\b`), "DURATION"},
	{regexp.MustCompile(`\b(ino|mtime)=\d+\b`), "FILE"},
}

// names maps the ids that a document shows to the printed ids, so that a command can use an id
// from an earlier command.
type names map[string]string

var id = volatile[0].pattern

func (n names) learn(shown, got []string) {
	for j, at := range aligned(shown, got) {
		if at < 0 {
			continue
		}
		said, printed := id.FindAllString(shown[at], -1), id.FindAllString(got[j], -1)
		if len(said) != len(printed) {
			continue
		}
		for i := range said {
			n[said[i]] = printed[i]
		}
	}
}

// in replaces the document's ids in a command by the printed ones.
func (n names) in(line string) string {
	return id.ReplaceAllStringFunc(line, func(said string) string {
		if printed, known := n[said]; known {
			return printed
		}
		return said
	})
}

func steady(line string) string {
	for _, v := range volatile {
		line = v.pattern.ReplaceAllString(line, v.instead)
	}
	return line
}

// matchLine reports whether a line of the document matches a printed line, ignoring what differs
// from run to run.
func matchLine(shown, got string) bool {
	return likens(shown, got) || likens(steady(shown), steady(got))
}

func likens(shown, got string) bool {
	parts := strings.Split(shown, "…")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return shown == got || regexp.MustCompile("^"+strings.Join(parts, ".*")+"$").MatchString(got)
}

// matchLines reports whether lines of the document match the printed lines.
func matchLines(shown, got []string) bool {
	switch {
	case len(shown) == 0:
		return len(got) == 0
	case shown[0] == "…":
		return matchLines(shown[1:], got) || len(got) > 0 && matchLines(shown, got[1:])
	}
	return len(got) > 0 && matchLine(shown[0], got[0]) && matchLines(shown[1:], got[1:])
}

// aligned pairs as many matching lines as possible, in order. It returns the index of the shown
// line for each printed one, or -1.
func aligned(shown, got []string) []int {
	best := make([][]int, len(shown)+1)
	for i := range best {
		best[i] = make([]int, len(got)+1)
	}
	for i := len(shown) - 1; i >= 0; i-- {
		for j := len(got) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1])
			if matchLine(shown[i], got[j]) {
				best[i][j] = max(best[i][j], best[i+1][j+1]+1)
			}
		}
	}
	of := slices.Repeat([]int{-1}, len(got))
	for i, j := 0, 0; i < len(shown) && j < len(got); {
		switch {
		case matchLine(shown[i], got[j]) && best[i][j] == best[i+1][j+1]+1:
			of[j] = i
			i, j = i+1, j+1
		case best[i+1][j] >= best[i][j+1]:
			i++
		default:
			j++
		}
	}
	return of
}

// difference shows the document's lines (-) and the printed ones (+).
func difference(shown, got []string) string {
	var b strings.Builder
	i := 0
	pairs := append(aligned(shown, got), len(shown))
	for j, at := range pairs {
		next := slices.IndexFunc(pairs[j:], func(at int) bool { return at >= 0 })
		for ; i < pairs[j+next]; i++ {
			fmt.Fprintf(&b, "    - %s\n", shown[i])
		}
		switch {
		case j == len(got):
		case at >= 0:
			fmt.Fprintf(&b, "      %s\n", got[j])
			i = at + 1
		default:
			fmt.Fprintf(&b, "    + %s\n", got[j])
		}
	}
	return b.String() + "    (UPDATE=1 writes what was printed into the document)"
}

// updated returns the printed lines, with the document's own lines where they match.
func updated(shown, got []string) []string {
	out := slices.Clone(got)
	for j, at := range aligned(shown, got) {
		if at >= 0 {
			out[j] = shown[at]
		}
	}
	return out
}

// TestDocumentText checks reading, comparing and writing a document.
func TestDocumentText(t *testing.T) {
	tests := []struct {
		name       string
		shown, got []string
		want       bool
	}{
		{"equal", []string{"a", "b"}, []string{"a", "b"}, true},
		{"nothing", nil, nil, true},
		{"a line more", []string{"a"}, []string{"a", "b"}, false},
		{"a line less", []string{"a", "b"}, []string{"a"}, false},
		{"another line", []string{"a"}, []string{"b"}, false},
		{"anything on a line", []string{"a … c"}, []string{"a big b c"}, true},
		{"anything, but not that end", []string{"a … c"}, []string{"a big b d"}, false},
		{"any lines", []string{"a", "…", "d"}, []string{"a", "b", "c", "d"}, true},
		{"any lines, none", []string{"a", "…", "d"}, []string{"a", "d"}, true},
		{"any lines, but not that end", []string{"a", "…", "d"}, []string{"a", "b"}, false},
		{"ids", []string{"errand show 01m8fpzvqm43ryxf13zf7jk7fj"}, []string{"errand show 01m9fpzvqm43ryxf13zf7jk7f0"}, true},
		{"durations", []string{"done in 12 ms"}, []string{"done in 7 ms"}, true},
		{"no id", []string{"errand show 01m8"}, []string{"errand show 01m9"}, false},
		{"an id cut short", []string{"artifacts/2d/2d205e41….png"}, []string{"artifacts/2d/2d205e41c610290b7135de52cf63a04aaf5bfecd9688dccf155935a2873fcb0b.png"}, true},
		{"a star means itself", []string{"*.example.com"}, []string{"x.example.com"}, false},
		{"a real ellipsis", []string{"run …"}, []string{"run …"}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := matchLines(tt.shown, tt.got); got != tt.want {
				t.Errorf("match is %v, want %v", got, tt.want)
			}
			if kept := updated(tt.shown, tt.got); !matchLines(kept, tt.got) {
				t.Errorf("updated to %q, which does not show %q", kept, tt.got)
			}
		})
	}
	source := "x\n\n`a.toml`:\n\n```toml\nk = 1\n```\n\n```console\n$ one \\\n  two\nout\n$ three\n```\nend\n"
	d, err := parseDocument(source)
	must.Succeed(t, err)
	if d.String() != source || len(d.blocks) != 2 || d.blocks[0].file != "a.toml" || d.blocks[1].commands[0].line != "one \\\n  two" {
		t.Errorf("read as %+v, written as %q", d.blocks, d.String())
	}
	for _, bad := range []string{"```toml\nk = 1\n```\n", "```console\nout\n```\n", "```sh\nmake\n"} {
		if _, err := parseDocument(bad); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
	ids := names{}
	ids.learn([]string{"draft 01m8fpzvqm43ryxf13zf7jk7fj", "…", "end"}, []string{"draft 01m9fpzvqm43ryxf13zf7jk7f0", "x", "end"})
	if got := ids.in("errand approve 01m8fpzvqm43ryxf13zf7jk7fj 01m8fpzvqm43ryxf13zf7jk7fk"); got != "errand approve 01m9fpzvqm43ryxf13zf7jk7f0 01m8fpzvqm43ryxf13zf7jk7fk" {
		t.Errorf("the command that is run is %q", got)
	}
	want := "      same\n    - old\n    + new\n      end\n    - gone\n"
	if got := difference([]string{"same", "old", "end", "gone"}, []string{"same", "new", "end"}); !strings.HasPrefix(got, want) {
		t.Errorf("difference is\n%s", got)
	}
}
