package waysout

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Stop is what kept a way from its end.
type Stop struct {
	By   string `json:"by"` // "interception" or "proxy"
	Rule string `json:"rule"`
}

// Outcome is what became of one way.
type Outcome struct {
	Name  string `json:"name"`
	About string `json:"about"`
	Tried bool   `json:"tried"`
	Hits  int    `json:"hits"` // connections and packets that arrived
	// Stop is the first that refused it; by "browser" without a rule where
	// nothing was left to refuse, because the browser itself makes no such
	// request.
	Stop Stop `json:"stop"`
	// Error is what the page was told at once, where it was.
	Error string `json:"error,omitempty"`
}

// Work is one thing that an allowed page must still be able to do.
type Work struct {
	Name   string `json:"name"`
	Public bool   `json:"public"` // it is up to the setting for a page's own loads
	Done   bool   `json:"done"`
}

// Report is the whole outcome.
type Report struct {
	Ways  []Outcome `json:"ways"`
	Works []Work    `json:"works"`
}

// Stopped tells the site that a request was refused: by "interception" or
// "proxy", for the rule. Requests that are none of the ways' are ignored.
func (s *Site) Stopped(by, rawURL, rule string) {
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
		name = s.bad.of(port)
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

// Wait waits until every way was tried and both pages of many ways have come
// to their end, or until ctx ends.
func (s *Site) Wait(ctx context.Context) {
	for {
		s.mu.Lock()
		all := len(s.ended) == 2 && !slices.ContainsFunc(s.ways, func(w way) bool { return !s.wasTried(w.name) })
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

// wasTried says whether the page told so, or somebody had to stop the way: a
// worker that is refused its script may end before it tells.
func (s *Site) wasTried(name string) bool {
	return s.tried[name] || s.stopped[name].By != "" || s.bad.count(name) > 0
}

// Report says what became of each way so far.
func (s *Site) Report() Report {
	s.mu.Lock()
	defer s.mu.Unlock()
	var r Report
	for _, w := range s.ways {
		o := Outcome{Name: w.name, About: w.about, Tried: s.wasTried(w.name), Hits: s.bad.count(w.name), Stop: s.stopped[w.name], Error: s.thrown[w.name]}
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

// Hits are the ways that got out.
func (r Report) Hits() []string { return r.names(func(o Outcome) bool { return o.Hits > 0 }) }

// Untried are the ways that the page did not come to: a test that did nothing
// has shown nothing.
func (r Report) Untried() []string { return r.names(func(o Outcome) bool { return !o.Tried }) }

func (r Report) names(is func(Outcome) bool) []string {
	var names []string
	for _, o := range r.Ways {
		if is(o) {
			names = append(names, o.Name)
		}
	}
	return names
}
