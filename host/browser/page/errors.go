package page

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/host/browser/document"
	"errand/host/tool"
	"errand/policy"
)

// proxyErrorHeader is the header with the filtering proxy's error code. It is visible only
// in responses to plain http requests.
const proxyErrorHeader = "X-Errand-Error"

// statusProxyAuth is HTTP status 407: the proxy did not accept the credentials.
const statusProxyAuth = 407

// Errors of opening a page that are converted to typed errors.
var (
	errCrashed   = errors.New("the page crashed")
	errLoop      = errors.New("the page opens dialogs for ever")
	errNoPicture = errors.New("the browser's picture of the page can't be read")
)

// refusedError returns the error for a refused URL that opening another one led to.
func refusedError(opened string, r refusal) *tool.Error {
	what, code := "open "+address.Quote(opened), "navigation_denied"
	if opened == "" || address.StripUser(opened) != address.StripUser(r.url) {
		what = "follow the page to " + address.Quote(r.url)
	}
	if r.decision.Verdict == policy.Ask {
		code = "navigation_needs_approval"
	}
	e := tool.Errorf(tool.PolicyDenied, code, "%s: %s is not allowed (%s): %s", what, address.Host(r.url), r.decision.Rule, r.decision.Reason)
	if r.decision.Hint != "" {
		return e.WithHint("%s", r.decision.Hint)
	}
	return e
}

// DeniedError returns the error for a page that policy doesn't allow.
func DeniedError(rawURL string, d policy.Decision) *tool.Error {
	return refusedError(rawURL, refusal{rawURL, d})
}

func downloadError(opened string) *tool.Error {
	return tool.Errorf(tool.PolicyDenied, "download_denied", "open %s: it is a download, not a page, and downloads are denied", address.Quote(opened))
}

// OpenError converts an error of Open to a typed one.
func (b *Browser) OpenError(ctx context.Context, opened string, err error) error {
	var typed *tool.Error
	switch {
	case errors.As(err, &typed):
		return typed
	case errors.Is(err, chromium.ErrGone) || b.life.Err() != nil:
		return tool.Errorf(tool.ExecutionError, "browser_died", "open %s: the browser ended on the way; its last words:\n%s", address.Quote(opened), b.lastWords())
	case errors.Is(err, errLoop):
		return loopError("open " + address.Quote(opened))
	case errors.Is(err, errCrashed):
		return tool.Errorf(tool.ExecutionError, "page_crashed", "open %s: %v", address.Quote(opened), err)
	case errors.Is(ctx.Err(), context.Canceled):
		return tool.AsError(fmt.Errorf("open %s: %w", address.Quote(opened), context.Canceled))
	case errors.Is(err, document.ErrSlow):
		return tool.Errorf(tool.ToolTimeout, "page_timeout", "open %s: the page was not there within %s", address.Quote(opened), loadTimeout).
			WithHint("try again, or open it with --show to see what it does")
	case errors.Is(err, context.DeadlineExceeded):
		return tool.Errorf(tool.ToolTimeout, "browser_timeout", "open %s: the browser did not answer in time", address.Quote(opened))
	}
	return tool.Errorf(tool.ExecutionError, "page_failed", "open %s: %v", address.Quote(opened), err)
}

// netError converts Chromium's network error ("net::ERR_…") to a typed one. status is that
// of the response, if there was one.
func (b *Browser) netError(opened, text string, status int) error {
	name := strings.TrimPrefix(text, "net::ERR_")
	host := address.Host(opened)
	say := func(class tool.Class, code, format string, args ...any) *tool.Error {
		return tool.Errorf(class, code, "open %s: %s (%s)", address.Quote(opened), fmt.Sprintf(format, args...), text)
	}
	switch {
	case name == "NAME_NOT_RESOLVED":
		return unresolvedError(opened)
	case name == "TUNNEL_CONNECTION_FAILED":
		if u, err := url.Parse(opened); err == nil && b.opts.Explain != nil {
			if err := b.opts.Explain(address.HostPort(u)); err != nil {
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

// proxyError converts an error code of the filtering proxy.
func (b *Browser) proxyError(opened, code string) error {
	if code == "name_not_resolved" {
		return unresolvedError(opened)
	}
	if u, err := url.Parse(opened); err == nil && b.opts.Explain != nil {
		if err := b.opts.Explain(address.HostPort(u)); err != nil {
			return tool.AsError(err)
		}
	}
	if code = address.Clip(code); strings.HasPrefix(code, "denied") {
		return tool.Errorf(tool.PolicyDenied, "navigation_denied", "open %s: the filtering proxy refused %s (%s)", address.Quote(opened), address.Host(opened), code)
	}
	return tool.Errorf(tool.ToolUnavailable, "host_unreachable", "open %s: no connection to %s could be made (%s)", address.Quote(opened), address.Host(opened), code)
}

func unresolvedError(opened string) *tool.Error {
	host := address.Host(opened)
	return tool.Errorf(tool.ToolUnavailable, "name_not_resolved", "open %s: the name %s could not be resolved", address.Quote(opened), host).
		WithHint("check the network, and the spelling of %s; `errand demo` needs no network", host)
}

func loopError(what string) *tool.Error {
	return tool.Errorf(tool.ExecutionError, "dialog_loop", "%s: the page opened %d dialogs, one after the other, and was closed", what, dialogLimit)
}
