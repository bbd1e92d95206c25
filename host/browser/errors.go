package browser

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"errand/host/tool"
	"errand/policy"
)

// proxyErrorHeader is the header in which the filtering proxy says what went
// wrong, where its answer can be seen: that of a plain http request.
const proxyErrorHeader = "X-Errand-Error"

// statusProxyAuth is HTTP's 407: the proxy did not take our credentials.
const statusProxyAuth = 407

// Ends of opening a page that become typed errors at its edge.
var (
	errSlow      = errors.New("the page was not there in time")
	errCrashed   = errors.New("the page crashed")
	errLoop      = errors.New("the page opens dialogs for ever")
	errNoPicture = errors.New("the browser's picture of the page can't be read")
)

// refusedError names what was not allowed, and on whose way.
func refusedError(opened string, r refusal) *tool.Error {
	what, code := "open "+quote(opened), "navigation_denied"
	if opened == "" || bare(opened) != bare(r.url) {
		what = "follow the page to " + quote(r.url)
	}
	if r.decision.Verdict == policy.Ask {
		code = "navigation_needs_approval"
	}
	e := tool.Errorf(tool.PolicyDenied, code, "%s: %s is not allowed (%s): %s", what, hostOf(r.url), r.decision.Rule, r.decision.Reason)
	if r.decision.Hint != "" {
		return e.WithHint("%s", r.decision.Hint)
	}
	return e
}

// deniedError is of a page that policy does not let be opened.
func deniedError(rawURL string, d policy.Decision) *tool.Error {
	return refusedError(rawURL, refusal{rawURL, d})
}

func downloadError(opened string) *tool.Error {
	return tool.Errorf(tool.PolicyDenied, "download_denied", "open %s: it is a download, not a page, and downloads are denied", quote(opened))
}

// openError gives every end of Open its type.
func (b *Browser) openError(ctx context.Context, opened string, err error) error {
	var typed *tool.Error
	switch {
	case errors.As(err, &typed):
		return typed
	case errors.Is(err, errGone) || b.life.Err() != nil:
		return tool.Errorf(tool.ExecutionError, "browser_died", "open %s: the browser ended on the way; its last words:\n%s", quote(opened), b.words())
	case errors.Is(err, errLoop):
		return loopError("open " + quote(opened))
	case errors.Is(err, errCrashed):
		return tool.Errorf(tool.ExecutionError, "page_crashed", "open %s: %v", quote(opened), err)
	case errors.Is(ctx.Err(), context.Canceled):
		return tool.AsError(fmt.Errorf("open %s: %w", quote(opened), context.Canceled))
	case errors.Is(err, errSlow):
		return tool.Errorf(tool.ToolTimeout, "page_timeout", "open %s: the page was not there within %s", quote(opened), loadTimeout).
			WithHint("try again, or open it with --show to see what it does")
	case errors.Is(err, context.DeadlineExceeded):
		return tool.Errorf(tool.ToolTimeout, "browser_timeout", "open %s: the browser did not answer in time", quote(opened))
	}
	return tool.Errorf(tool.ExecutionError, "page_failed", "open %s: %v", quote(opened), err)
}

// netError gives one of Chromium's network errors ("net::ERR_…") its type.
// status is that of the answer, where there was one.
func (b *Browser) netError(opened, text string, status int) error {
	name := strings.TrimPrefix(text, "net::ERR_")
	host := hostOf(opened)
	say := func(class tool.Class, code, format string, args ...any) *tool.Error {
		return tool.Errorf(class, code, "open %s: %s (%s)", quote(opened), fmt.Sprintf(format, args...), text)
	}
	switch {
	case name == "NAME_NOT_RESOLVED":
		return unresolved(opened)
	case name == "TUNNEL_CONNECTION_FAILED":
		if u, err := url.Parse(opened); err == nil && b.opts.Explain != nil {
			if err := b.opts.Explain(hostport(u)); err != nil {
				return tool.AsError(err)
			}
		}
		return say(tool.ToolUnavailable, "host_unreachable", "no connection to %s could be made", host).
			WithHint("check the network, and that %s exists", host)
	case strings.HasPrefix(name, "PROXY_"), name == "UNEXPECTED_PROXY_AUTH", status == statusProxyAuth:
		return say(tool.ToolUnavailable, "proxy_unreachable", "the filtering proxy could not be used")
	case name == "HTTP_RESPONSE_CODE_FAILURE":
		return say(tool.ExecutionError, "http_error", "%s answered with status %d and nothing to show", host, status)
	case strings.HasPrefix(name, "CERT_"), strings.HasPrefix(name, "SSL_"):
		return say(tool.ExecutionError, "certificate_invalid", "the identity of %s could not be verified", host)
	case strings.Contains(name, "TIMED_OUT"):
		return say(tool.ToolTimeout, "page_timeout", "%s did not answer in time", host)
	case strings.HasPrefix(name, "BLOCKED_BY"), strings.HasPrefix(name, "UNSAFE_"), name == "DISALLOWED_URL_SCHEME":
		return say(tool.PolicyDenied, "navigation_denied", "the browser refused it")
	case strings.HasPrefix(name, "CONNECTION_"), strings.HasPrefix(name, "ADDRESS_"), name == "INTERNET_DISCONNECTED", name == "EMPTY_RESPONSE":
		return say(tool.ToolUnavailable, "host_unreachable", "no connection to %s could be made", host)
	case name == "ABORTED":
		return say(tool.ExecutionError, "page_aborted", "it has nothing to show")
	}
	return say(tool.ExecutionError, "page_failed", "the page could not be loaded")
}

// proxyError is for an answer of the filtering proxy itself.
func (b *Browser) proxyError(opened, code string) error {
	if code == "name_not_resolved" {
		return unresolved(opened)
	}
	if u, err := url.Parse(opened); err == nil && b.opts.Explain != nil {
		if err := b.opts.Explain(hostport(u)); err != nil {
			return tool.AsError(err)
		}
	}
	if code = clip(code); strings.HasPrefix(code, "denied") {
		return tool.Errorf(tool.PolicyDenied, "navigation_denied", "open %s: the filtering proxy refused %s (%s)", quote(opened), hostOf(opened), code)
	}
	return tool.Errorf(tool.ToolUnavailable, "host_unreachable", "open %s: no connection to %s could be made (%s)", quote(opened), hostOf(opened), code)
}

func unresolved(opened string) *tool.Error {
	host := hostOf(opened)
	return tool.Errorf(tool.ToolUnavailable, "name_not_resolved", "open %s: the name %s could not be resolved", quote(opened), host).
		WithHint("check the network, and the spelling of %s; `errand demo` needs no network", host)
}

func loopError(what string) *tool.Error {
	return tool.Errorf(tool.ExecutionError, "dialog_loop", "%s: the page opened %d dialogs, one after the other, and was closed", what, dialogLimit)
}
