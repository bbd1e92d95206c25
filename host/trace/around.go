package trace

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// This file prints what stands around the steps of a record.

// connections sums up which hosts were reached or kept away, the latter first.
func (p *printer) connections(events []Event) {
	type key struct{ rank, word, host, why string }
	seen := map[key]int{}
	for _, e := range events {
		if e.Kind != KindConnection {
			continue
		}
		text := func(name string) string { s, _ := e.Data[name].(string); return s }
		host := text("host")
		if port, ok := e.Data["port"]; ok {
			host = fmt.Sprintf("%s:%v", host, port)
		}
		k := key{"0", "stopped", host, text("reason")}
		if text("verdict") == "allow" {
			k = key{"1", "allowed", host, text("error")}
		} else if k.why == "" {
			k.why = text("rule")
		}
		seen[k]++
	}
	if len(seen) == 0 {
		return
	}
	keys := slices.SortedFunc(maps.Keys(seen), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.host, b.host), cmp.Compare(a.why, b.why))
	})
	p.b.WriteString("\nConnections\n")
	for _, k := range keys {
		line := fmt.Sprintf("%s%s  %s", indent, p.colored(k.word, k.word == "allowed"), p.value(k.host))
		if n := seen[k]; n > 1 {
			line += fmt.Sprintf(" ×%d", n)
		}
		if k.why != "" {
			line += "  " + p.value(k.why)
		}
		p.b.WriteString(line + "\n")
	}
}

func (p *printer) events(events []Event) {
	if len(events) == 0 {
		return
	}
	p.b.WriteString("\nEvents\n")
	for _, e := range events {
		fmt.Fprintf(&p.b, "%s%s  %s  %s\n", indent, e.Time.In(p.o.Location).Format("15:04:05.000"), Plain(e.Kind), strings.Join(p.entries(e.Data), ", "))
	}
}

func (p *printer) document(title string, doc json.RawMessage) {
	var b bytes.Buffer
	if len(doc) == 0 || json.Indent(&b, doc, "", "  ") != nil {
		return
	}
	fmt.Fprintf(&p.b, "\n%s\n", title)
	for line := range strings.Lines(b.String()) {
		fmt.Fprintf(&p.b, "%s%s\n", indent, Plain(strings.TrimSuffix(line, "\n")))
	}
}
