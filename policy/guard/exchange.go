package guard

import (
	"context"
	"net/http"
)

// exchange is one HTTP request on its route. It is a value in the request's context.
type exchange struct {
	route *route
	head  int // bytes of the request's head
	count *traffic
}

type exchangeKey struct{}

// send sends a request that outgoingRequest prepared. It counts the heads of both messages
// as traffic: a URL and headers carry data out as a body does. The error is a
// [*LimitError] if a head exceeds the run's budget; nothing of the request is sent then.
func send(transport *http.Transport, out *http.Request, route *route, count *traffic) (*http.Response, error) {
	ctx := context.WithValue(out.Context(), exchangeKey{}, &exchange{route, requestHead(out), count})
	resp, err := transport.RoundTrip(out.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	if err := count.move(0, responseHead(resp)); err != nil {
		resp.Body.Close()
		return nil, err
	}
	return resp, nil
}

// requestHead returns the size in bytes of a request line and its headers in HTTP/1.1,
// without the headers that the transport adds.
func requestHead(r *http.Request) int {
	line := len(r.Method) + len(" ") + len(r.URL.RequestURI()) + len(" HTTP/1.1\r\n")
	return line + len("Host: \r\n") + len(r.URL.Host) + headerSize(r.Header)
}

// responseHead returns the size in bytes of a status line and its headers.
func responseHead(r *http.Response) int {
	return len(r.Proto) + len(" ") + len(r.Status) + len("\r\n") + headerSize(r.Header)
}

// headerSize includes the empty line after the headers.
func headerSize(h http.Header) int {
	n := len("\r\n")
	for name, values := range h {
		for _, value := range values {
			n += len(name) + len(": ") + len(value) + len("\r\n")
		}
	}
	return n
}
