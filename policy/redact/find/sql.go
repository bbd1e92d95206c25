package find

import "strings"

// readInsert reads SQL's INSERT INTO table (name, password) VALUES ('jane',
// '…'): the value in the place of a sensitive column, in every row.
func (p *pairReader) readInsert(pos int) {
	rest := p.rest(pos, 4096)
	open := strings.IndexByte(rest, '(')
	shut := strings.IndexByte(rest, ')')
	if open < 0 || shut < open {
		return
	}
	sensitive := map[int]string{} // the kind of secret by the column's position
	for i, column := range strings.Split(rest[open+1:shut], ",") {
		if str, kind := judgeName(strings.Trim(column, " \"'`[]")); str >= medium && str != digits {
			sensitive[i] = kind
		}
	}
	values := strings.Index(strings.ToLower(rest[shut:]), "values")
	if len(sensitive) == 0 || values < 0 {
		return
	}
	column := -1
	for i := shut + values; i < len(rest); i++ {
		switch rest[i] {
		case '(':
			column = 0
		case ',':
			if column >= 0 {
				column++
			}
		case ')':
			column = -1
		case '\'', '"':
			v := p.readValue(separator{end: pos + i, kind: '='})
			if kind := sensitive[column]; kind != "" && !isPlaceholder(p.Text[v.start:v.end]) {
				p.add(kind, v.start, v.end)
			}
			i = v.end - pos // the closing quote
		}
	}
}
