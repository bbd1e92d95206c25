package trace

import "encoding/json"

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
		var e Egress
		b, err := json.Marshal(event.Data)
		if err != nil || json.Unmarshal(b, &e) != nil {
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
