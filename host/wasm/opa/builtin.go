package opa

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// builtin computes a built-in function. Its arguments are texts as [readValue] reads them. An
// error makes the expression undefined, as in OPA.
type builtin func(args []any) (any, error)

// hostBuiltins are the functions that the modules themselves don't have.
var hostBuiltins = map[string]builtin{
	"sprintf":               sprintf,
	"strings.count":         countText,
	"time.parse_rfc3339_ns": parseTime,
	"time.clock": func(args []any) (any, error) {
		return ofTime(args, func(t time.Time) any { return []int{t.Hour(), t.Minute(), t.Second()} })
	},
	"time.date": func(args []any) (any, error) {
		return ofTime(args, func(t time.Time) any { return []int{t.Year(), int(t.Month()), t.Day()} })
	},
	"time.weekday": func(args []any) (any, error) {
		return ofTime(args, func(t time.Time) any { return t.Weekday().String() })
	},
}

var errArgument = errors.New("argument")

// callBuiltin calls a function with the addresses of its arguments. It returns the address of the
// answer, or 0 if it is undefined.
func (p *Policy) callBuiltin(ctx context.Context, id int32, addresses []uint64) uint32 {
	args := make([]any, len(addresses))
	for i, at := range addresses {
		text, err := p.call(ctx, p.valueDump, at)
		if err != nil {
			panic(err)
		}
		if args[i], err = readValue(p.text(uint32(text))); err != nil {
			panic(err)
		}
	}
	value, err := p.builtins[id](args)
	if err != nil {
		return 0
	}
	text, err := json.Marshal(value)
	if err != nil {
		return 0
	}
	at, err := p.parse(ctx, text)
	if err != nil {
		panic(err)
	}
	return uint32(at)
}

func countText(args []any) (any, error) {
	text, ok := args[0].(string)
	part, ok2 := args[1].(string)
	if !ok || !ok2 {
		return nil, errArgument
	}
	return strings.Count(text, part), nil
}

func parseTime(args []any) (any, error) {
	text, ok := args[0].(string)
	if !ok {
		return nil, errArgument
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return nil, err
	}
	if year := t.Year(); year < 1678 || year > 2261 {
		return nil, errArgument // not in an int64 of nanoseconds
	}
	return t.UnixNano(), nil
}

// ofTime computes something of a time in nanoseconds, or of an array of it and a time zone.
func ofTime(args []any, f func(time.Time) any) (any, error) {
	moment, zone := args[0], time.UTC
	if pair, ok := moment.([]any); ok {
		if len(pair) != 2 {
			return nil, errArgument
		}
		name, ok := pair[1].(string)
		if !ok {
			return nil, errArgument
		}
		if name != "" {
			var err error
			if zone, err = time.LoadLocation(name); err != nil || name == "Local" {
				return nil, errArgument
			}
		}
		moment = pair[0]
	}
	n, ok := moment.(json.Number)
	if !ok {
		return nil, errArgument
	}
	ns, err := n.Int64()
	if err != nil {
		return nil, err
	}
	return f(time.Unix(0, ns).In(zone)), nil
}
