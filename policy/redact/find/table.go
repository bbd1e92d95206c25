package find

import (
	"strings"
	"unicode"
)

// column is a column of a table that holds secrets.
type column struct {
	name, kind string
	strength   strength
}

// cell is the span of a cell's value, without its quotes.
type cell = valueSpan

// maxHeading is the maximum length in bytes of the line of headings, and maxHead of one
// heading.
const (
	maxHeading = 2 << 10
	maxHead    = 40
)

// readTable reads a table whose line of headings has the name of a secret at text[pos]:
// CSV with commas, semicolons or tabs, or Markdown. It reads each byte of a text at
// most once.
func (p *pairReader) readTable(pos int) {
	if pos < p.tableEnd {
		return
	}
	delimiter := p.delimiterAround(pos)
	if delimiter == 0 {
		return
	}
	start := pos - len(p.line(pos, maxHeading))
	heads, end := readRow(p.Text, start, delimiter)
	p.tableEnd = end
	columns := map[int]column{}
	for i, h := range heads {
		name := strings.TrimSpace(p.Text[h.start:h.end])
		if strings.ContainsFunc(name, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" _-.()/", r)
		}) || len(name) > maxHead {
			return // no headings
		}
		if str, kind := judgeLabel(name); str != none {
			columns[i] = column{name, kind, str}
		}
	}
	for len(columns) > 0 && end < len(p.Text) {
		row, next := readRow(p.Text, end, delimiter)
		if len(row) != len(heads) {
			return
		}
		for i, c := range columns {
			if v := row[i]; p.accept(valueSpan{v.start, v.end, true}, separator{kind: ','}, c.name, c.strength, false) {
				p.add(c.kind, v.start, v.end)
			}
		}
		end = next
		p.tableEnd = end
	}
}

// delimiterAround returns the character that separates the heading at text[pos] from
// its neighbour, or 0 if there is no heading.
func (p *pairReader) delimiterAround(pos int) byte {
	const delimiters = ",;\t|"
	after := strings.IndexAny(p.Text[pos:min(len(p.Text), pos+maxHead)], delimiters+":=<>{}?\r\n")
	if after < 0 {
		return 0
	}
	if c := p.Text[pos+after]; strings.IndexByte(delimiters, c) >= 0 {
		return c
	} else if c != '\n' && c != '\r' {
		return 0
	}
	line := p.line(pos, maxHead)
	if before := strings.LastIndexAny(line, delimiters); before >= 0 {
		return line[before]
	}
	return 0
}

// readRow reads the cells of the line at text[i] and returns where the next line begins.
func readRow(text string, i int, delimiter byte) (cells []cell, next int) {
	for {
		for i < len(text) && text[i] == ' ' {
			i++
		}
		c := cell{start: i}
		if i < len(text) && text[i] == '"' {
			c.start, c.quoted = i+1, true
			for i++; i < len(text) && (text[i] != '"' || strings.HasPrefix(text[i:], `""`)); i++ {
				if text[i] == '"' {
					i++ // a doubled quote
				}
			}
			c.end = min(i, len(text))
		}
		for i < len(text) && text[i] != delimiter && text[i] != '\n' {
			i++
		}
		i = min(i, len(text))
		if !c.quoted {
			c.end = c.start + len(strings.TrimRight(text[c.start:i], " \r"))
		}
		cells = append(cells, c)
		if i == len(text) {
			return cells, i
		}
		i++
		if text[i-1] == '\n' {
			return cells, i
		}
	}
}
