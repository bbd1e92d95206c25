package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/policy"
)

// TestFlagsFailClosed (agent plan, W7): every flag of the agent and of policy,
// with values that mean nothing or too much. Each is a fault at its line, from the
// file and from the environment, and there is no configuration and no policy then.
func TestFlagsFailClosed(t *testing.T) {
	flags := map[string][]string{
		"agent.internal.enabled":            {`true`, `"false"`, `0`, `"off"`},
		"agent.internal.max_steps":          {`0`, `-1`, `1001`, `"12"`, `1.5`, `true`},
		"agent.internal.max_wall_time_ms":   {`0`, `-90000`, `86400001`, `"90s"`, `1e3`},
		"agent.internal.max_failures":       {`0`, `-3`, `1001`, `"3"`},
		"agent.internal.allowed_tools":      {`"*"`, `["*"]`, `[""]`, `["hash.md5", 7]`, `["hash md5"]`, `true`},
		"agent.internal.max_no_ops":         {`0`, `101`, `"3"`},
		"agent.internal.max_tokens":         {`-1`, `1000000001`, `"many"`, `1.5`},
		"agent.internal.max_tokens_per_day": {`-1`, `1000000000001`, `"many"`, `1.5`},
		"llm.prices": {
			`[{}]`, `[{model = "", input = 1.0, output = 1.0}]`, `[{model = "m", input = -0.1, output = 1.0}]`, `[{model = "m", input = 1.0, output = nan}]`,
			`[{model = "m", input = inf, output = 1.0}]`, `[{model = "m", input = "1", output = 1.0}]`, `[{model = "m", price = 1.0}]`, `"free"`,
		},
		"agent.internal.providers":      {`"*"`, `["gemini"]`, `["openai", "openai"]`, `["OpenAI"]`, `[""]`, `true`},
		"agent.internal.on_denied":      {`""`, `"ask"`, `"Stop"`, `true`},
		"agent.internal.record_prompts": {`"true"`, `1`, `[]`},
		"agent.internal.prompt_extra":   {`"` + strings.Repeat("x", 4097) + `"`},
		"policy.block_private_ranges":   {`false`, `"true"`, `1`},
		"policy.allowed_domains":        {`"*"`, `true`, `[1]`, `[""]`, `["*.com"]`, `["https://"]`, `["example.com "]`, `["@catalog"]`, `["user@example.com"]`, `["10.0.0.0/8"]`},
		"policy.allow_private":          {`true`, `["localhost:80"]`, `["127.0.0.1"]`, `["127.0.0.1:0"]`, `["0.0.0.0/0"]`, `["::/0"]`, `["10.0.0.1/8"]`, `["*"]`, `[""]`},
		"policy.subresources":           {`""`, `"all"`, `"Public"`, `true`, `["public"]`},
		"policy.user_goal_tools":        {`"*"`, `[""]`, `[1]`, `false`},
		"policy.redaction":              {`"no"`, `0`, `"false"`, `[]`},
		"policy.persist_raw_html":       {`true`, `"true"`, `1`},
		"policy.rules": {
			`[{}]`, `[{verdict = "allow"}]`, `[{verdict = "maybe", tool = "*"}]`, `[{verdict = "allow", tool = "*", effect = "everything"}]`,
			`[{verdict = "deny", host = "*.com"}]`, `[{verdict = "allow", host = "!example.com"}]`, `[{verdict = "ask", origin = "page"}]`,
			`[{verdict = "deny", args = {path = "x"}}]`, `[{verdict = "deny", tool = "*", unknown = 1}]`, `[{verdict = "deny", tool = "*", until = "soon"}]`, `"deny"`,
		},
		"policy.rego":            {`"policy/*.rego"`, `["none/*.rego"]`, `["[.rego"]`, `[""]`, `[1]`, `true`},
		"policy.budget.requests": {`-1`, `"many"`, `1000000001`, `true`},
		"policy.budget.hosts":    {`-1`, `1000001`, `"all"`},
		"policy.budget.bytes":    {`-1`, `"4GiB"`, `1125899906842625`},
	}
	for _, name := range ProviderNames() {
		flags["llm."+name+".base_url"] = []string{
			`""`, `"api.example.com"`, `"ftp://api.example.com"`, `"https://"`, `"https:/x"`, `"http://api.example.com"`, `"http://10.0.0.1:11434"`, `"http://localhost:11434"`,
			`"https://ann:secret@api.example.com"`, `"https://api.example.com/?key=1"`, `"https://api.example.com/#x"`, `"https://localhost"`, `"https://10.0.0.1"`, `"https://169.254.169.254"`,
			`"https://*.example.com"`, `"https://api.example.com/a b"`, `"https://api.example.com/a/../b"`, `"http://0.0.0.0:11434"`, `"http://[::ffff:127.0.0.1]:11434"`, `"http://127.0.0.1:22"`, `7`,
		}
		flags["llm."+name+".model"] = []string{`""`, `" m"`}
		flags["llm."+name+".api_key_env"] = []string{`"sk-proj-Abc123"`, `"openai_api_key"`, `"1KEY"`, `"MY KEY"`, `"KEY="`, `true`}
		flags["llm."+name+".api_key_from"] = []string{`"sk-proj-Abc123"`, `"OPENAI_API_KEY"`, `"env:"`, `"env:openai"`, `"secret:"`, `"secret:sk-Abc"`, `"secret:a b"`, `"file:/etc/key"`, `true`}
		flags["llm."+name+".timeout_ms"] = []string{`0`, `999`, `600001`, `"60s"`}
		flags["llm."+name+".max_output_tokens"] = []string{`0`, `-1`, `1000001`}
	}
	for _, key := range Keys() {
		if _, known := flags[key]; !known && (strings.HasPrefix(key, "policy.") || strings.HasPrefix(key, "agent.") || strings.HasPrefix(key, "llm.")) {
			t.Errorf("%s has no bad value here", key)
		}
	}
	for key, values := range flags {
		table, name := key[:strings.LastIndexByte(key, '.')], key[strings.LastIndexByte(key, '.')+1:]
		for _, value := range values {
			l, err := Load(Options{File: write(t, "["+table+"]\n"+name+" = "+value+"\n"), Env: []string{"HOME=/home/ann"}})
			closed(t, "errand.toml:2: "+key, key+" = "+value, l, err)
			if name == "rules" || name == "prices" { // lists of tables have no variable's spelling that is not TOML
				continue
			}
			_, isList := valueOf(Default(), key).([]string)
			if strings.HasPrefix(value, `"`) || isList && !strings.HasPrefix(value, "[") { // a variable's quotes and brackets may be left out
				continue
			}
			l, err = Load(Options{Env: []string{"HOME=/home/ann", EnvName(key) + "=" + value}})
			closed(t, EnvName(key), EnvName(key)+"="+value, l, err)
		}
	}
}

// closed says that nothing came of a configuration but a fault at its place.
func closed(t *testing.T, place, what string, l *Loaded, err error) {
	t.Helper()
	var faults Problems
	switch {
	case err == nil:
		t.Errorf("%s is taken", what)
	case !errors.As(err, &faults):
		t.Errorf("%s: %v is no fault", what, err)
	case !strings.HasPrefix(i18n.English().Error(faults), place):
		t.Errorf("%s: the fault is %q, want it at %s", what, i18n.English().Error(faults), place)
	}
	if l != nil {
		t.Errorf("%s: there is a configuration all the same", what)
	}
}

// TestFlagsByDefault: without a configuration the agent is off and bounded, secrets
// are taken out, pages are not kept, and no private address is reached.
func TestFlagsByDefault(t *testing.T) {
	l, err := Load(Options{Env: []string{"HOME=" + t.TempDir()}})
	must.Succeed(t, err)
	a := l.Agent.Internal
	if a.Enabled || a.MaxSteps != 12 || a.MaxWallTimeMS != 90_000 || a.MaxFailures != 3 || a.MaxNoOps != 3 || a.MaxTokens != 200_000 || len(a.AllowedTools) != 0 || len(a.Providers) != 3 {
		t.Errorf("agent.internal = %+v", a)
	}
	if !l.Policy.Redaction || l.Policy.PersistRawHTML || len(l.Policy.AllowPrivate) != 0 {
		t.Errorf("policy = %+v", l.Policy)
	}
	for url, want := range map[string]policy.Verdict{
		"https://youtube.com/": policy.Allow, "https://example.org/": policy.Ask,
		"http://127.0.0.1:8080/": policy.Deny, "http://192.168.1.1/": policy.Deny, "http://[::1]/": policy.Deny, "http://localhost/": policy.Deny,
	} {
		if d := l.Gate.Decide(policy.Request{Kind: policy.KindNavigate, URL: url}); d.Verdict != want {
			t.Errorf("%s: %s, want %s", url, d.Verdict, want)
		}
	}
}

// TestOwnFoldersAreProtected: no folder that is granted to tools holds the
// configuration, the record or the cache, by whatever name, and Errand is no app.
func TestOwnFoldersAreProtected(t *testing.T) {
	home := t.TempDir()
	for _, dir := range []string{"Documents", ".config/errand", "Links"} {
		must.Succeed(t, os.MkdirAll(filepath.Join(home, dir), 0o700))
	}
	must.Succeed(t, os.Symlink(home, filepath.Join(home, "Links", "home")))
	env := []string{"HOME=" + home}
	for root, ok := range map[string]bool{
		"~": false, "/": false, "~/.config": false, "~/.local/share/errand/plugins": false, "~/.cache": false, "~/Links/home": false,
		"~/Documents/..": false, "~/Documents": true, "~/.configuration": true, "~/Links": true, "~/.local/share/other": true,
	} {
		_, err := Load(Options{Env: append(env, "ERRAND_FILES_ROOTS="+root)})
		if (err == nil) != ok {
			t.Errorf("roots = %q: %v", root, err)
		}
	}
	own := filepath.Join(home, "Documents", "errand.toml")
	must.Succeed(t, os.WriteFile(own, nil, 0o600))
	if _, err := Load(Options{File: own, Env: env}); err == nil || !strings.Contains(err.Error(), "configuration") {
		t.Errorf("a configuration in a granted folder: %v", err)
	}
	for exec, ok := range map[string]bool{
		`["errand"]`: false, `["/usr/bin/errand", "run"]`: false, `["env", "errand"]`: false, `["C:\\x\\Errand.EXE"]`: false, `["errands"]`: true,
	} {
		_, err := Load(Options{File: write(t, "[[apps]]\nid = \"own\"\naliases = [\"own\"]\nexec = "+exec+"\n"), Env: env})
		if (err == nil) != ok {
			t.Errorf("exec = %s: %v", exec, err)
		}
	}
}
