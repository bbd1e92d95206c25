package plancheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"errand/planner/message"
)

// jsonLines maps each key and element of a JSON document to its line, with
// paths as keyline.Of has them. It refuses what the decoder lets pass: a
// key given twice, and something after the document.
func jsonLines(doc []byte) (map[string]int, error) {
	l := jsonReader{d: json.NewDecoder(bytes.NewReader(doc)), doc: doc, at: map[string]int{}}
	for i, b := range doc {
		if b == '\n' {
			l.ends = append(l.ends, i)
		}
	}
	if err := l.value(""); err != nil {
		return nil, l.withLocation(err)
	}
	if l.d.More() {
		return nil, l.withLocation(message.Error("plan_check.several_values"))
	}
	return l.at, nil
}

type jsonReader struct {
	d    *json.Decoder
	doc  []byte
	at   map[string]int
	ends []int // where each line ends
}

// line is the line of the token that comes after what is read.
func (l *jsonReader) line() int {
	at := int(l.d.InputOffset())
	for at < len(l.doc) && strings.IndexByte(" \t\r\n,:", l.doc[at]) >= 0 {
		at++
	}
	before, _ := slices.BinarySearch(l.ends, at)
	return before + 1
}

func (l *jsonReader) withLocation(err error) error {
	line := l.line()
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		before, _ := slices.BinarySearch(l.ends, max(0, int(syntax.Offset)-1))
		line = before + 1
	}
	return &lineError{line, err}
}

type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return e.err.Error() }

func (l *jsonReader) value(path string) error {
	t, err := l.d.Token()
	if err != nil {
		return err
	}
	switch t {
	case json.Delim('{'):
		for l.d.More() {
			line := l.line()
			key, err := l.d.Token()
			if err != nil {
				return err
			}
			at := join(path, key.(string))
			if _, twice := l.at[at]; twice {
				return message.Error("plan_check.key_twice", "key", at)
			}
			l.at[at] = line
			if err := l.value(at); err != nil {
				return err
			}
		}
		_, err = l.d.Token()
	case json.Delim('['):
		for i := 0; l.d.More(); i++ {
			at := fmt.Sprintf("%s[%d]", path, i)
			l.at[at] = l.line()
			if err := l.value(at); err != nil {
				return err
			}
		}
		_, err = l.d.Token()
	}
	return err
}
