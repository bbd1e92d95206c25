package redact

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"errand/build/must"
)

// TestMessagesAreKept checks that codes and names of parameters don't count as secrets, and that
// a parameter's name does not make its value a secret.
func TestMessagesAreKept(t *testing.T) {
	b := must.ReadFile(t, "../../app/i18n/en.toml")
	r := New(nil)
	parameter := regexp.MustCompile(`\{([a-z][a-z0-9_]*)[|}]`)
	table := ""
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "[") {
			table = strings.Trim(line, "[]\n")
		}
		key, text, ok := strings.Cut(line, " = ")
		if !ok {
			continue
		}
		params := map[string]any{}
		for _, found := range parameter.FindAllStringSubmatch(text, -1) {
			params[found[1]] = "Correct-Horse-7f3a9"
		}
		message := map[string]any{"msg": table + "." + key, "params": params}
		if got := r.Value(message); !reflect.DeepEqual(got, message) {
			t.Errorf("%v became %v", fmt.Sprint(message), got)
		}
	}
}
