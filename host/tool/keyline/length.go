package keyline

import (
	"bytes"

	"github.com/pelletier/go-toml/v2/unstable"

	"errand/planner/message"
)

// MaxKey is the greatest length of a key with the tables that it is in, in bytes.
const MaxKey = 512

// CheckLength returns an error with code toml.key_too_long and parameters line and limit if a
// key of the document, with the tables that it is in, is longer than [MaxKey]. Tables in
// tables would otherwise cost time and memory that grow with the square of their number.
// It does not report syntax errors.
func CheckLength(doc []byte) error {
	doc = bytes.TrimPrefix(doc, Mark)
	var c lengths
	c.p.Reset(doc)
	table := 0
	for c.p.NextExpression() && c.tooLong == nil {
		switch e := c.p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = c.add(0, e.Key())
		case unstable.KeyValue:
			c.keyValue(table, e)
		}
	}
	if c.tooLong == nil {
		return nil
	}
	line := 1 + bytes.Count(doc[:c.tooLong.Offset], []byte("\n"))
	return message.Error("toml.key_too_long", "line", line, "limit", MaxKey)
}

type lengths struct {
	p       unstable.Parser
	tooLong *unstable.Range
}

// keyValue checks a key and the inline tables in its value.
func (c *lengths) keyValue(table int, e *unstable.Node) {
	c.value(c.add(table, e.Key()), e.Value())
}

func (c *lengths) value(key int, v *unstable.Node) {
	if c.tooLong != nil || v.Kind != unstable.InlineTable && v.Kind != unstable.Array {
		return
	}
	for child := v.Children(); child.Next(); {
		if n := child.Node(); n.Kind == unstable.KeyValue {
			c.keyValue(key, n)
		} else {
			c.value(key, n)
		}
	}
}

// add returns the length of a key in a table whose key has the given length.
func (c *lengths) add(table int, key unstable.Iterator) int {
	for key.Next() && c.tooLong == nil {
		n := key.Node()
		if table += len(n.Data) + 1; table > MaxKey {
			raw := n.Raw
			c.tooLong = &raw
		}
	}
	return table
}
