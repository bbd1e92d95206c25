package trace

import (
	"encoding/json"
	"slices"
	"strings"
)

// Egress is the network use of a run. A limit of 0 means unlimited.
type Egress struct {
	Requests    int   `json:"requests"` // that were allowed: of pages, and of plugins
	Stopped     int   `json:"stopped"`  // that were not
	Connections int   `json:"connections"`
	Hosts       int   `json:"hosts"`    // different ones that were connected to
	Sent        int64 `json:"sent"`     // bytes
	Received    int64 `json:"received"` // bytes

	// Unenforced is set if pages were opened in a browser that did not use our
	// proxy. Bytes, connections and hosts don't include its traffic.
	Unenforced bool `json:"unenforced,omitempty"`

	MaxRequests int   `json:"max_requests"`
	MaxHosts    int   `json:"max_hosts"`
	MaxBytes    int64 `json:"max_bytes"`
}

// KindEgress is the kind of the event with an attempt's network use.
const KindEgress = "egress"

// EgressOf adds up the network use of a record's attempts. It returns false if
// none was recorded. The hosts are those of the attempt with the most hosts,
// because attempts mostly contact the same ones. The limits are those of the last
// attempt.
func EgressOf(rec Record) (sum Egress, noted bool) {
	for _, event := range rec.Events {
		if event.Kind != KindEgress {
			continue
		}
		e, ok := egressOf(event)
		if !ok {
			continue
		}
		e.Requests += sum.Requests
		e.Stopped += sum.Stopped
		e.Connections += sum.Connections
		e.Hosts = max(e.Hosts, sum.Hosts)
		e.Sent += sum.Sent
		e.Unenforced = e.Unenforced || sum.Unenforced
		e.Received += sum.Received
		sum, noted = e, true
	}
	return sum, noted
}

func egressOf(event Event) (e Egress, ok bool) {
	b, err := json.Marshal(event.Data)
	return e, err == nil && json.Unmarshal(b, &e) == nil
}

// Use is what the attempts of a run have used of its budget.
type Use struct {
	Requests int
	Bytes    int64    // sent and received
	Hosts    []string // different ones, without ports
}

// UseOf returns what the attempts of a record have used. Of an attempt that was killed, only
// the recorded connections count.
func UseOf(rec Record) (use Use) {
	var open Use // of the attempt that has not ended
	for _, event := range rec.Events {
		if e, ok := egressOf(event); event.Kind == KindEgress && ok {
			use.Requests += e.Requests
			use.Bytes += e.Sent + e.Received
			open = Use{}
			continue
		}
		n, ok := ConnectionOf(event)
		if !ok || n.Verdict != "allow" {
			continue
		}
		open.Requests++
		open.Bytes += n.Sent + n.Received
		host := n.Host
		if i := strings.LastIndexByte(host, ':'); i >= 0 {
			host = strings.Trim(host[:i], "[]")
		}
		if host != "" && !slices.Contains(use.Hosts, host) {
			use.Hosts = append(use.Hosts, host)
		}
	}
	use.Requests += open.Requests
	use.Bytes += open.Bytes
	return use
}
