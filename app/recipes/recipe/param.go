package recipe

import (
	"fmt"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"errand/host/tool"
)

// wrong says why a value is none of the parameter's; "" where it is one.
func (p Param) wrong(v any) string {
	switch p.Type {
	case Int:
		if _, ok := v.(int); !ok {
			return fmt.Sprintf("%v is no whole number", v)
		}
		return ""
	case Bool:
		if _, ok := v.(bool); !ok {
			return fmt.Sprintf("%v is neither true nor false", v)
		}
		return ""
	}
	s, ok := v.(string)
	switch {
	case !ok && p.Type == Secret:
		return "it is no text"
	case !ok:
		return fmt.Sprintf("%v is no text", v)
	case len(s) > MaxValue:
		return fmt.Sprintf("it has %d bytes; the limit is %d", len(s), MaxValue)
	case !utf8.ValidString(s) || strings.ContainsRune(s, 0):
		return "it is not UTF-8, or has a NUL in it"
	case p.Type != Secret && len(tool.SecretRefs(s)) > 0:
		return fmt.Sprintf("%q refers to a secret: only the recipe itself may, by a parameter of type secret", s)
	}
	switch p.Type {
	case URL:
		if u, err := url.Parse(s); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return fmt.Sprintf("%q is no http or https address", s)
		}
	case Path:
		if strings.TrimSpace(s) == "" {
			return "the path is empty"
		}
	case Secret:
		if s == "" {
			return "the secret is empty"
		}
	}
	if p.Pattern != "" && !regexp.MustCompile(`^(?:`+p.Pattern+`)$`).MatchString(s) {
		if p.Type == Secret {
			return "it does not fit the pattern " + p.Pattern
		}
		return fmt.Sprintf("%q does not fit the pattern %s", s, p.Pattern)
	}
	return ""
}

// parse reads a value as it is typed on a command line.
func (p Param) parse(s string) (any, string) {
	var v any = s
	switch p.Type {
	case Int:
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || n > math.MaxInt32 || n < math.MinInt32 {
			return nil, fmt.Sprintf("%q is no whole number", s)
		}
		v = n
	case Bool:
		b, err := strconv.ParseBool(strings.TrimSpace(s))
		if err != nil {
			return nil, fmt.Sprintf("%q is neither true nor false", s)
		}
		v = b
	}
	return v, p.wrong(v)
}

// sample is a value to check arguments with, before anybody gave one.
func (p Param) sample() any {
	if p.Default != nil {
		return p.Default
	}
	switch p.Type {
	case Int:
		return 1
	case Bool:
		return true
	case URL:
		return "https://example.com/"
	case Path:
		return "/sample"
	}
	return "sample"
}
