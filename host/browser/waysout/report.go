package waysout

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Stop says what stopped a way.
type Stop struct {
	By   string `json:"by"` // "interception" or "proxy"
	Rule string `json:"rule"`
}

// Outcome is the result of one way.
type Outcome struct {
	Name        string `json:"name"`
	Description string `json:"about"`
	Tried       bool   `json:"tried"`
	Hits        int    `json:"hits"` // connections and packets that arrived
	// Stop is the first refusal. It is by "browser", without a rule, if the browser itself
	// never made the request.
	Stop Stop `json:"stop"`
	// Error is the error that the page got immediately, if any.
	Error string `json:"error,omitempty"`
}

// Work is something that an allowed page must still be able to do.
type Work struct {
	Name   string `json:"name"`
	Public bool   `json:"public"` // depends on the setting for subresources
	Done   bool   `json:"done"`
}

// Report is the result of the test.
type Report struct {
	Ways  []Outcome `json:"ways"`
	Works []Work    `json:"works"`
}

// RecordStop records that a request was refused by "interception" or "proxy", because of the
// rule. It ignores requests that don't belong to a way.
func (s *Site) RecordStop(by, rawURL, rule string) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return
	}
	name := ""
	if u.Hostname() == Outside {
		if len(u.Path) > 1 {
			name = u.Path[1:]
		}
	} else if port, err := strconv.Atoi(u.Port()); err == nil {
		name = s.forbidden.findWay(port)
	}
	if name == "" {
		return
	}
	s.note(func() {
		if _, known := s.stopped[name]; !known {
			s.stopped[name] = Stop{by, rule}
		}
	})
}

// Wait waits until every way was tried and both pages with many ways have finished, or
// until ctx is done.
func (s *Site) Wait(ctx context.Context) {
	for {
		s.mu.Lock()
		all := len(s.finished) == 2 && !slices.ContainsFunc(s.routes, func(w route) bool { return !s.wasTried(w.name) })
		changed := s.changed
		s.mu.Unlock()
		if all {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// wasTried reports whether the page reported the way or the way was stopped. A worker
// whose script is refused may end before it reports.
func (s *Site) wasTried(name string) bool {
	return s.tried[name] || s.stopped[name].By != "" || s.forbidden.count(name) > 0
}

// Report returns the current result of each way.
func (s *Site) Report() Report {
	s.mu.Lock()
	defer s.mu.Unlock()
	var r Report
	for _, w := range s.routes {
		o := Outcome{Name: w.name, Description: w.description, Tried: s.wasTried(w.name), Hits: s.forbidden.count(w.name), Stop: s.stopped[w.name], Error: s.pageErrors[w.name]}
		if o.Stop.By == "" && o.Tried && o.Hits == 0 {
			o.Stop.By = "browser"
		}
		r.Ways = append(r.Ways, o)
	}
	for _, name := range works {
		r.Works = append(r.Works, Work{name, name == workPublic || strings.HasSuffix(name, workSockets), s.works[name]})
	}
	return r
}

// Hits returns the ways that reached their server.
func (r Report) Hits() []string { return r.names(func(o Outcome) bool { return o.Hits > 0 }) }

// NotTried returns the ways that were not tried. A test with such ways proves nothing.
func (r Report) NotTried() []string { return r.names(func(o Outcome) bool { return !o.Tried }) }

func (r Report) names(is func(Outcome) bool) []string {
	var names []string
	for _, o := range r.Ways {
		if is(o) {
			names = append(names, o.Name)
		}
	}
	return names
}
