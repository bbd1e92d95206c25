package page

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/host/browser/document"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy"
)

// proxyErrorHeader is the header with the filtering proxy's error code. It is visible only
// in responses to plain http requests.
const proxyErrorHeader = "X-Errand-Error"

// statusProxyAuth is HTTP status 407: the proxy did not accept the credentials.
const statusProxyAuth = 407

// Errors of opening a page that are converted to typed errors.
var (
	errCrashed   = message.Error("browser.page_crashed")
	errLoop      = message.Error("browser.endless_dialogs")
	errNoPicture = message.Error("browser.bad_picture")
)

// refusedError returns the error for a refused URL that opening another one led to.
func refusedError(opened string, r refusal) *tool.Error {
	text, code := "browser.open_denied", "navigation_denied"
	if opened == "" || address.StripUser(opened) != address.StripUser(r.url) {
		text = "browser.redirect_denied"
	}
	if r.decision.Verdict == policy.Ask {
		code = "navigation_needs_approval"
	}
	e := tool.NewError(tool.PolicyDenied, code, message.New(text, "url", address.Display(r.url), "host", address.Host(r.url), "rule", r.decision.Rule, "reason", r.decision.Reason))
	if !r.decision.Hint.IsZero() {
		return e.WithHint(r.decision.Hint)
	}
	return e
}

// DeniedError returns the error for a page that policy doesn't allow.
func DeniedError(rawURL string, d policy.Decision) *tool.Error {
	return refusedError(rawURL, refusal{rawURL, d})
}

func downloadError(opened string) *tool.Error {
	return tool.NewError(tool.PolicyDenied, "download_denied", message.New("browser.open_is_download", "url", address.Display(opened)))
}

// OpenError converts an error of Open to a typed one.
func (b *Browser) OpenError(ctx context.Context, opened string, err error) error {
	var typed *tool.Error
	switch {
	case errors.As(err, &typed):
		return typed
	case errors.Is(err, chromium.ErrGone) || b.life.Err() != nil:
		return b.diedError(message.New("browser.open_browser_died", "url", address.Display(opened), "output", b.lastWords()))
	case errors.Is(err, errLoop):
		return loopError(message.New("browser.open_dialog_loop", "url", address.Display(opened), "limit", dialogLimit))
	case errors.Is(err, errCrashed):
		return tool.NewError(tool.ExecutionError, "page_crashed", message.New("browser.open_failed", "url", address.Display(opened), "cause", err))
	case errors.Is(ctx.Err(), context.Canceled):
		return tool.AsError(message.Error("browser.open_failed", "url", address.Display(opened), "cause", context.Canceled))
	case errors.Is(err, document.ErrSlow):
		return tool.NewError(tool.ToolTimeout, "page_timeout", message.New("browser.open_timeout", "url", address.Display(opened), "limit", loadTimeout)).
			WithHint(message.New("browser.try_with_show"))
	case errors.Is(err, context.DeadlineExceeded):
		return tool.NewError(tool.ToolTimeout, "browser_timeout", message.New("browser.open_no_answer", "url", address.Display(opened)))
	}
	return tool.NewError(tool.ExecutionError, "page_failed", message.New("browser.open_failed", "url", address.Display(opened), "cause", err))
}

// diedError returns the error for a browser that ended by itself, or because its pages stored
// too much.
func (b *Browser) diedError(text message.Message) *tool.Error {
	if b.instance != nil {
		if limit, ended := b.instance.Overfull(); ended {
			e := tool.NewError(tool.ExecutionError, "browser_storage_full", message.New("browser.storage_full", "limit", limit>>20))
			if b.opts.Profile != "" {
				e = e.WithHint(message.New("browser.storage_full_hint", "profile", b.opts.Profile))
			}
			return e
		}
	}
	return tool.NewError(tool.ExecutionError, "browser_died", text)
}

// netError converts Chromium's network error ("net::ERR_…") to a typed one. status is that
// of the response, if there was one.
func (b *Browser) netError(opened, netError string, status int) error {
	name := strings.TrimPrefix(netError, "net::ERR_")
	host := address.Host(opened)
	say := func(class tool.Class, code, text string) *tool.Error {
		return tool.NewError(class, code, message.New(text, "url", address.Display(opened), "host", host, "status", status, "error", netError))
	}
	switch {
	case b.attached == nil && (name == "NAME_NOT_RESOLVED" || name == "MANDATORY_PROXY_CONFIGURATION_FAILED"):
		// It resolves no name itself while it uses the proxy.
		return say(tool.ToolUnavailable, "browser_managed", "browser.net_past_proxy").WithHint(message.New("browser.use_unmanaged"))
	case name == "NAME_NOT_RESOLVED":
		return unresolvedError(opened)
	case name == "TUNNEL_CONNECTION_FAILED":
		if u, err := url.Parse(opened); err == nil && b.opts.Explain != nil {
			if err := b.opts.Explain(address.HostPort(u)); err != nil {
				return tool.AsError(err)
			}
		}
		return say(tool.ToolUnavailable, "host_unreachable", "browser.net_unreachable").
			WithHint(message.New("browser.check_network", "host", host))
	case strings.HasPrefix(name, "PROXY_"), name == "UNEXPECTED_PROXY_AUTH", status == statusProxyAuth:
		return say(tool.ToolUnavailable, "proxy_unreachable", "browser.net_proxy")
	case name == "HTTP_RESPONSE_CODE_FAILURE":
		return say(tool.ExecutionError, "http_error", "browser.net_status")
	case strings.HasPrefix(name, "CERT_"), strings.HasPrefix(name, "SSL_"):
		return say(tool.ExecutionError, "certificate_invalid", "browser.net_certificate")
	case strings.Contains(name, "TIMED_OUT"):
		return say(tool.ToolTimeout, "page_timeout", "browser.net_timeout")
	case strings.HasPrefix(name, "BLOCKED_BY"), strings.HasPrefix(name, "UNSAFE_"), name == "DISALLOWED_URL_SCHEME":
		return say(tool.PolicyDenied, "navigation_denied", "browser.net_refused")
	case strings.HasPrefix(name, "CONNECTION_"), strings.HasPrefix(name, "ADDRESS_"), name == "INTERNET_DISCONNECTED", name == "EMPTY_RESPONSE":
		return say(tool.ToolUnavailable, "host_unreachable", "browser.net_unreachable")
	case name == "ABORTED":
		return say(tool.ExecutionError, "page_aborted", "browser.net_aborted")
	}
	return say(tool.ExecutionError, "page_failed", "browser.net_failed")
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
		return tool.NewError(tool.PolicyDenied, "navigation_denied", message.New("browser.open_proxy_denied", "url", address.Display(opened), "host", address.Host(opened), "code", code))
	}
	return tool.NewError(tool.ToolUnavailable, "host_unreachable", message.New("browser.open_unreachable", "url", address.Display(opened), "host", address.Host(opened), "code", code))
}

func unresolvedError(opened string) *tool.Error {
	host := address.Host(opened)
	return tool.NewError(tool.ToolUnavailable, "name_not_resolved", message.New("browser.open_not_resolved", "url", address.Display(opened), "host", host)).
		WithHint(message.New("browser.check_name", "host", host))
}

func loopError(m message.Message) *tool.Error {
	return tool.NewError(tool.ExecutionError, "dialog_loop", m)
}
