package guard

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"errand/planner/message"
	"errand/policy"
)

// maxHello is the maximum number of bytes to read before a tunnel's destination is known.
const maxHello = 64 << 10

// opening is the first message of a tunnel.
type opening struct {
	bytes []byte // the original bytes
	isTLS bool
	host  string // from the message; "" if a ClientHello has no name
	uri   string // of a plain WebSocket
	page  string // origin of the page that opens a plain WebSocket, or [policy.UnknownPage]
}

// sniff reads the first message of a tunnel to target, a TLS ClientHello or the HTTP request
// of a plain WebSocket. The message must name target: otherwise a tunnel to an allowed host
// could ask a shared front end for any other host.
func sniff(from *bufio.Reader, target policy.Target) (o opening, err error) {
	var seen bytes.Buffer
	source := io.TeeReader(io.LimitReader(from, maxHello), &seen)
	head, err := from.Peek(1)
	if err != nil {
		return o, message.Error("network.read_tunnel", "cause", err)
	}
	protocol := "HTTP"
	switch {
	case head[0] == 0x16: // a TLS handshake record
		protocol, o.isTLS = "TLS", true
		o.host, err = serverName(source)
	case 'A' <= head[0] && head[0] <= 'Z':
		o.host, o.uri, o.page, err = socketRequest(source)
	default:
		err = message.Error("network.unknown_protocol")
	}
	o.bytes = seen.Bytes()
	if err != nil {
		if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
			return o, message.Error("network.read_tunnel", "cause", err)
		}
		return o, refuseTunnel(target, message.New("network.tunnel_unreadable", "host", target.HostPort(), "cause", err))
	}
	if o.isTLS && target.Addr.IsValid() && o.host == "" {
		return o, nil // SNI can't be an address (RFC 6066 §3)
	}
	if !strings.EqualFold(o.host, target.Host) {
		return o, refuseTunnel(target, message.New("network.tunnel_for_other_host", "host", target.HostPort(), "protocol", protocol, "other", o.host))
	}
	return o, nil
}

func refuseTunnel(target policy.Target, reason message.Message) error {
	return &DeniedError{target.Origin(), policy.Decision{Rule: RuleSNI, Reason: reason}}
}

// errAbort stops a handshake once the name is known.
var errAbort = errors.New("abort the handshake")

// serverName returns the name in a ClientHello. The TLS library parses it; the handshake
// is aborted afterwards.
func serverName(r io.Reader) (string, error) {
	var hello *tls.ClientHelloInfo
	config := &tls.Config{GetConfigForClient: func(h *tls.ClientHelloInfo) (*tls.Config, error) {
		hello = h
		return nil, errAbort
	}}
	err := tls.Server(readOnly{r}, config).Handshake()
	if hello == nil {
		return "", err
	}
	return hello.ServerName, nil
}

// socketRequest returns the host, without its port, the URI and the page of a WebSocket's
// request. The browser sets the page, in the header Origin.
func socketRequest(r io.Reader) (host, uri, page string, err error) {
	req, err := http.ReadRequest(bufio.NewReader(r))
	if err != nil {
		return "", "", "", err
	}
	if !strings.EqualFold(req.Header.Get("Upgrade"), "websocket") {
		return "", "", "", message.Error("network.http_in_tunnel")
	}
	target, d := policy.FloorURL("http://" + req.Host + "/")
	if d.Verdict != policy.Allow && target.Host == "" {
		return "", "", "", d.Reason.Err()
	}
	if !strings.HasPrefix(req.RequestURI, "/") { // another host could follow
		return "", "", "", message.Error("network.http_in_tunnel")
	}
	return target.Host, req.RequestURI, cmp.Or(req.Header.Get("Origin"), policy.UnknownPage), nil
}

// readOnly is a connection that a handshake can read from but not write to.
type readOnly struct{ r io.Reader }

func (c readOnly) Read(p []byte) (int, error)     { return c.r.Read(p) }
func (readOnly) Write(p []byte) (int, error)      { return len(p), nil }
func (readOnly) Close() error                     { return nil }
func (readOnly) LocalAddr() net.Addr              { return nil }
func (readOnly) RemoteAddr() net.Addr             { return nil }
func (readOnly) SetDeadline(time.Time) error      { return nil }
func (readOnly) SetReadDeadline(time.Time) error  { return nil }
func (readOnly) SetWriteDeadline(time.Time) error { return nil }
