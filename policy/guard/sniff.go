package guard

import (
	"bufio"
	"bytes"
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

// sniff reads the first message of a tunnel, a TLS ClientHello or the HTTP request of a
// plain WebSocket. It returns the bytes unchanged if they name target. Without this check
// a tunnel to an allowed host could ask a shared front end for any other host.
func sniff(from *bufio.Reader, target policy.Target) ([]byte, error) {
	var seen bytes.Buffer
	source := io.TeeReader(io.LimitReader(from, maxHello), &seen)
	head, err := from.Peek(1)
	if err != nil {
		return nil, message.Error("network.read_tunnel", "cause", err)
	}
	var name, what string
	switch {
	case head[0] == 0x16: // a TLS handshake record
		what = "TLS"
		name, err = serverName(source)
	case 'A' <= head[0] && head[0] <= 'Z':
		what = "HTTP"
		name, err = hostHeader(source)
	default:
		err = message.Error("network.unknown_protocol")
	}
	refuse := func(reason message.Message) ([]byte, error) {
		return nil, &DeniedError{target.Origin(), policy.Decision{Rule: RuleSNI, Reason: reason}}
	}
	if err != nil {
		var timeout net.Error
		if errors.As(err, &timeout) && timeout.Timeout() {
			return nil, message.Error("network.read_tunnel", "cause", err)
		}
		return refuse(message.New("network.tunnel_unreadable", "host", target.HostPort(), "cause", err))
	}
	if what == "TLS" && target.Addr.IsValid() && name == "" {
		return seen.Bytes(), nil // SNI can't have an address (RFC 6066 §3)
	}
	if !strings.EqualFold(name, target.Host) {
		return refuse(message.New("network.tunnel_for_other_host", "host", target.HostPort(), "protocol", what, "other", name))
	}
	return seen.Bytes(), nil
}

// errAbort stops a handshake once the name is known. No one sees it.
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

// hostHeader returns the host of an HTTP request without its port.
func hostHeader(r io.Reader) (string, error) {
	req, err := http.ReadRequest(bufio.NewReader(r))
	if err != nil {
		return "", err
	}
	if !strings.EqualFold(req.Header.Get("Upgrade"), "websocket") {
		return "", message.Error("network.http_in_tunnel")
	}
	target, d := policy.FloorURL("http://" + req.Host + "/")
	if d.Verdict != policy.Allow && target.Host == "" {
		return "", d.Reason.Err()
	}
	return target.Host, nil
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
