package recipe

import (
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"errand/host/tool"
	"errand/planner/message"
)

// problem returns the problem with a value of the parameter; zero if it is valid.
func (p Param) problem(v any) message.Message {
	switch p.Type {
	case Int:
		if _, ok := v.(int); !ok {
			return message.New("recipes.not_int", "value", v)
		}
		return message.Message{}
	case Bool:
		if _, ok := v.(bool); !ok {
			return message.New("recipes.not_bool", "value", v)
		}
		return message.Message{}
	}
	s, ok := v.(string)
	switch {
	case !ok && p.Type == Secret:
		return message.New("recipes.secret_not_text")
	case !ok:
		return message.New("recipes.not_text", "value", v)
	case len(s) > MaxValue:
		return message.New("recipes.value_too_long", "size", len(s), "limit", MaxValue)
	case !utf8.ValidString(s) || strings.ContainsRune(s, 0):
		return message.New("recipes.value_not_utf8")
	case p.Type != Secret && len(tool.SecretRefs(s)) > 0:
		return message.New("recipes.value_is_secret_ref", "text", s)
	}
	switch p.Type {
	case URL:
		if u, err := url.Parse(s); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return message.New("recipes.not_url", "text", s)
		}
	case Path:
		if strings.TrimSpace(s) == "" {
			return message.New("recipes.empty_path")
		}
	case Secret:
		if s == "" {
			return message.New("recipes.empty_secret")
		}
	}
	if p.Pattern != "" && !regexp.MustCompile(`^(?:`+p.Pattern+`)$`).MatchString(s) {
		if p.Type == Secret {
			return message.New("recipes.secret_pattern_mismatch", "pattern", p.Pattern)
		}
		return message.New("recipes.pattern_mismatch", "text", s, "pattern", p.Pattern)
	}
	return message.Message{}
}

// parse reads a value from the command line.
func (p Param) parse(s string) (any, message.Message) {
	var v any = s
	switch p.Type {
	case Int:
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || n > math.MaxInt32 || n < math.MinInt32 {
			return nil, message.New("recipes.text_not_int", "text", s)
		}
		v = n
	case Bool:
		b, err := strconv.ParseBool(strings.TrimSpace(s))
		if err != nil {
			return nil, message.New("recipes.text_not_bool", "text", s)
		}
		v = b
	}
	return v, p.problem(v)
}

// sample returns a value for checking arguments without a given value.
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
