package interpret

import (
	"strings"

	"errand/planner/plan"
)

// fileTokens reports whether the words are several file names in a row.
func (p *fileReader) fileTokens(q span) bool {
	for i := q.lo; i < q.hi; i++ {
		if s := p.toks[i].shape; s != file && s != quoted {
			return false
		}
	}
	return q.hi > q.lo+1
}

// names cuts a list of names at its commas and conjunctions.
func (p *Text) names(q span) []span {
	var out []span
	from := q.lo
	for i := q.lo; i < q.hi; {
		n := 0
		if p.toks[i].shape == mark && (p.fold(i) == "," || p.fold(i) == ";" || p.fold(i) == "\n") {
			n = 1
		} else if m, ok := p.longest(i, q.hi, kAnd); ok {
			n = m.n
		}
		if n == 0 {
			i++
			if i < q.hi && p.toks[i-1].shape == file && p.toks[i].shape == file {
				out = append(out, span{from, i})
				from = i
			}
			continue
		}
		if from < i {
			out = append(out, span{from, i})
		}
		i += n
		from = i
	}
	if from < q.hi {
		out = append(out, span{from, q.hi})
	}
	return out
}

func (p *fileReader) addFile(c *clause, it item, q span) {
	c.drafts = append(c.drafts, draft{
		goal:  plan.Goal{GoalType: plan.FileOperation, Action: c.action(), ObjectType: it.object, Target: p.fileName(it, q)},
		where: it.where,
		front: it.front,
		spans: []slotSpan{
			{"goal_type", c.verb, false},
			{"action", c.verb, c.fuzzy},
			{"target", q, false},
		},
	})
}

// fileName is the name as it was said, with "dot t x t" spelled out and the
// extension that the type implies.
func (p *fileReader) fileName(it item, q span) string {
	name := p.cut(q.lo, q.hi)
	if !p.quotedAlone(q.lo, q.hi) && it.object == fileType {
		name = spokenName(p.Text, q.lo, q.hi)
	}
	if it.ext != "" && it.object == fileType && extension(name) == "" {
		name += it.ext
	}
	return name
}

// spokenName is the text of [lo,hi) with a spoken extension at its end written
// out: "notes dot t x t" is "notes.txt", "my_file dot md" is "my_file.md".
func spokenName(p *Text, lo, hi int) string {
	for i := hi - 2; i > lo && i >= hi-6; i-- {
		m, ok := p.longest(i, hi, kSpoken)
		if !ok || m.value != "." || i+m.n >= hi {
			continue
		}
		ext := ""
		for j := i + m.n; j < hi; j++ {
			ext += p.said(j, kLetter)
		}
		if fileExtensions[ext] {
			return joinSpoken(p, lo, i) + "." + ext
		}
	}
	return p.cut(lo, hi)
}

// joinSpoken is the text of [lo,hi) with spoken underscores and dashes written.
func joinSpoken(p *Text, lo, hi int) string {
	var b strings.Builder
	glue := true
	for i := lo; i < hi; {
		if m, ok := p.longest(i, hi, kSpoken); ok && i > lo && i+m.n < hi {
			b.WriteString(m.value)
			i, glue = i+m.n, true
			continue
		}
		if !glue {
			b.WriteByte(' ')
		}
		b.WriteString(p.cut(i, i+1))
		i, glue = i+1, false
	}
	return b.String()
}
