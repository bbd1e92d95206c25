package secrets_test

import (
	"strings"
	"testing"

	"errand/app/secrets"
	"errand/host/tool"
)

// TestKeysAreRemoved checks that a key is removed with redaction on and off, from runs that
// began before and after it was added, and beside other secrets.
func TestKeysAreRemoved(t *testing.T) {
	const key, plugin, given, typed = "plain-words-key-1", "secret-of-a-plugin", "secret-of-a-plan", "typed-into-a-field"
	for name, redaction := range map[string]bool{"redaction": true, "no redaction": false} {
		t.Run(name, func(t *testing.T) {
			v := secrets.NewVault(redaction, nil)
			v.AddPlanSecrets("before", tool.Secrets{"S": given})
			v.Bind(nil, []string{plugin})
			v.AddKey("")
			v.AddKey(key)
			v.AddKey(key)
			v.AddLearned("after", []string{typed})
			text := strings.Join([]string{key, plugin, given, typed}, " ")
			for run, want := range map[string][]string{ // what is removed
				"":       {key},
				"before": {key, given},
				"after":  {key, typed},
				"other":  {key},
			} {
				if redaction {
					want = append(want, plugin)
				}
				got := v.CleanerOf(run).Text(text)
				for _, s := range []string{key, plugin, given, typed} {
					removed := false
					for _, w := range want {
						removed = removed || w == s
					}
					if strings.Contains(got, s) == removed {
						t.Errorf("run %q: %q is in %q", run, s, got)
					}
				}
			}
			if !v.HasSecret(key) || !v.HasSecret(plugin) || v.HasSecret("plain words") {
				t.Error("secrets are not known as such")
			}
			if got := v.Cleaner().Text("password=hunter22hunter22"); strings.Contains(got, "hunter22") == redaction {
				t.Errorf("what looks like a secret: %s", got)
			}
		})
	}
}
