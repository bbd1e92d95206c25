package servers

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"errand/app/config"
	"errand/host/desktop/keyring"
	"errand/host/mcp/child"
	"errand/host/mcp/client"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy/guard"
)

// opener returns what connects to a server.
func (s *Set) opener(name string, t config.ToolServer) func(context.Context) (client.Connection, error) {
	if t.URL != "" {
		return func(ctx context.Context) (client.Connection, error) { return s.openService(ctx, name, t) }
	}
	return func(context.Context) (client.Connection, error) { return s.openProgram(name, t) }
}

// openProgram starts a server on this machine.
func (s *Set) openProgram(name string, t config.ToolServer) (client.Connection, error) {
	o, err := s.program(name, t)
	if err != nil {
		return client.Connection{}, err
	}
	for _, variable := range t.Env {
		s.addSecret(s.variable(variable))
	}
	p, err := child.Start(o, t.Confinement() == config.ConfineRequire)
	switch {
	case errors.Is(err, child.ErrUnconfined):
		return client.Connection{}, unconfined(name, t)
	case err != nil:
		return client.Connection{}, tool.UnavailableError(client.CodeUnavailable, message.New("mcp.not_started", "server", name, "program", o.Path, "cause", err))
	}
	return client.Stdio(p.In, p.Out, p.Stop, p.Log), nil
}

// programPath finds the program of a server.
func (s *Set) programPath(name string, t config.ToolServer) (string, error) {
	path, err := s.o.LookPath(s.o.Config.Paths.Resolve(t.Command[0]))
	if err != nil {
		return "", tool.UnavailableError(client.CodeUnavailable, message.New("mcp.no_program", "server", name, "program", t.Command[0], "cause", err)).
			WithHint(message.New("mcp.no_program_hint", "server", name))
	}
	return path, nil
}

// program returns how a server on this machine is started. Its folder is made.
func (s *Set) program(name string, t config.ToolServer) (child.Options, error) {
	path, err := s.programPath(name, t)
	if err != nil {
		return child.Options{}, err
	}
	if path, err = filepath.Abs(path); err != nil {
		return child.Options{}, err
	}
	own := filepath.Join(s.o.Config.Paths.Data, "mcp", name)
	temp := filepath.Join(own, "tmp")
	if err := os.MkdirAll(temp, 0o700); err != nil {
		return child.Options{}, err
	}
	o := child.Options{Path: path, Dir: own, Env: []string{"HOME=" + own, "TMPDIR=" + temp, "TMP=" + temp, "TEMP=" + temp}}
	for _, word := range t.Command[1:] {
		if word == "~" || strings.HasPrefix(word, "~/") {
			word = s.o.Config.Paths.Resolve(word)
		}
		o.Args = append(o.Args, word)
	}
	for _, variable := range append([]string{"PATH", "LANG", "LC_ALL", "TZ", "SYSTEMROOT"}, t.Env...) {
		if value := s.variable(variable); value != "" {
			o.Env = append(o.Env, variable+"="+value)
		}
	}
	if t.Confinement() == config.ConfineOff {
		return o, nil
	}
	o.Limits = &child.Limits{Write: []string{own}, Network: t.Network, Read: programFiles(s.o.Config.Paths.Home, append([]string{path}, o.Args...))}
	for _, entry := range t.Folders {
		text, readOnly := strings.CutPrefix(entry, "ro:")
		dir, err := s.o.Config.Expand(text)
		if err != nil {
			return o, err
		}
		if err := s.o.Config.Grantable(dir); err != nil {
			return o, tool.NewError(tool.PolicyDenied, "folder_refused", message.FromError(err))
		}
		if readOnly {
			o.Limits.Read = append(o.Limits.Read, dir)
		} else {
			o.Limits.Write = append(o.Limits.Write, dir)
		}
	}
	return o, nil
}

// programFiles returns what a program needs to run, beside what the system has: the program, the
// script for it among the arguments, and the packages that they belong to.
func programFiles(home string, words []string) (paths []string) {
	for i, word := range words {
		if !filepath.IsAbs(word) {
			continue
		}
		real, err := filepath.EvalSymlinks(word)
		if err != nil {
			continue
		}
		info, err := os.Stat(real)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		for _, file := range []string{word, real} {
			paths = append(paths, file)
			if before, _, ok := strings.Cut(file, "/node_modules/"); ok {
				paths = append(paths, before+"/node_modules", filepath.Join(before, "package.json"))
			}
			bin := filepath.Dir(file)
			if _, err := os.Stat(filepath.Join(filepath.Dir(bin), "pyvenv.cfg")); err == nil {
				paths = append(paths, filepath.Dir(bin))
			}
		}
		if i > 0 {
			if dir := filepath.Dir(real); dir != home && dir != "/" && isScript(real) {
				paths = append(paths, dir)
			}
			break // what follows are arguments of the script
		}
	}
	return paths
}

// isScript reports whether a file is for an interpreter.
func isScript(path string) bool {
	switch filepath.Ext(path) {
	case ".js", ".mjs", ".cjs", ".ts", ".py", ".rb", ".pl", ".php", ".lua", ".sh":
		return true
	}
	return false
}

// variable returns the value of an environment variable of the program.
func (s *Set) variable(name string) string {
	value := ""
	for _, line := range s.o.Env { // the last one counts
		if v, ok := strings.CutPrefix(line, name+"="); ok {
			value = v
		}
	}
	return value
}

// minSecret is the least length of a variable that is treated as a secret.
const minSecret = 8

func (s *Set) addSecret(value string) {
	if len(value) >= minSecret {
		s.o.AddSecret(value)
	}
}

// openService connects to a server on the network.
func (s *Set) openService(ctx context.Context, name string, t config.ToolServer) (client.Connection, error) {
	c, err := s.o.Client("mcp."+name, []string{hostPattern(t.URL)})
	if err != nil {
		return client.Connection{}, err
	}
	headers := http.Header{}
	for header, source := range t.HeaderEnv {
		value, err := s.headerValue(ctx, name, header, source)
		if err != nil {
			return client.Connection{}, err
		}
		headers.Set(header, value)
	}
	u, err := url.Parse(t.URL)
	if err != nil {
		return client.Connection{}, err
	}
	guarded := *c
	guarded.Transport = serviceTransport{c.Transport, u.Host, headers}
	return client.HTTP(t.URL, &guarded), nil
}

// headerValue reads the value of a header. Authorization without a scheme is a bearer token.
func (s *Set) headerValue(ctx context.Context, name, header, source string) (string, error) {
	from := config.HeaderSource(source)
	value := ""
	if from.Secret != "" {
		secret, err := keyring.Read(ctx, from.Secret)
		if err != nil {
			return "", err
		}
		value = secret
	} else {
		value = s.variable(from.Variable)
	}
	value = strings.TrimSpace(value)
	switch {
	case value == "":
		return "", tool.UnavailableError("mcp_no_header_value", message.New("mcp.no_header_value", "server", name, "header", header, "source", from.String()))
	case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r >= 0x7f }):
		return "", tool.UnavailableError("mcp_no_header_value", message.New("mcp.bad_header_value", "server", name, "header", header, "source", from.String()))
	}
	s.o.AddSecret(value)
	if strings.EqualFold(header, "Authorization") {
		scheme, rest, ok := strings.Cut(value, " ")
		if !ok {
			return "Bearer " + value, nil
		}
		if scheme != "" && rest != "" {
			s.o.AddSecret(rest)
		}
	}
	return value, nil
}

// serviceTransport adds the headers of a service to requests to it alone.
type serviceTransport struct {
	http.RoundTripper
	host    string
	headers http.Header
}

// RoundTrip implements [http.RoundTripper]. A refusal of policy is a *[tool.Error].
func (t serviceTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host == t.host && len(t.headers) > 0 {
		r = r.Clone(r.Context())
		for name, values := range t.headers {
			r.Header[name] = values
		}
	}
	resp, err := t.RoundTripper.RoundTrip(r)
	if denied, ok := errors.AsType[*guard.DeniedError](err); ok {
		e := tool.NewError(tool.PolicyDenied, "host_denied", message.New("mcp.host_denied", "host", r.URL.Host, "reason", denied.Decision.Reason))
		return nil, e.WithHint(message.New("mcp.host_denied_hint", "host", r.URL.Hostname()))
	}
	return resp, err
}

// hostPattern is the pattern of the hosts that a service may be reached at: its own.
func hostPattern(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil || u.Host == "" {
		return ""
	}
	if u.Scheme == "https" && u.Port() == "" {
		return u.Hostname()
	}
	return u.Scheme + "://" + u.Host
}
