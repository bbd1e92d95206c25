package print

import (
	"slices"

	"errand/app/doctor"
)

// PrintEgress prints a line for each way, then what the page could do, then the
// sum of it.
func (s *Console) PrintEgress(r doctor.EgressReport) {
	listed := r.Subresources == "listed"
	for _, w := range r.Report.Ways {
		by := w.Stop.By + ", " + w.Stop.Rule
		if w.Stop.Rule == "" {
			by = "the browser made no request"
		}
		switch {
		case w.Hits > 0:
			s.Print("%s  %-24s %s: it led out", Paint(Red, "OUT    "), w.Name, w.About)
		case !w.Tried:
			s.Print("%s  %-24s %s: nothing is known", Paint(Yellow, "untried"), w.Name, w.About)
		default:
			s.Print("%s  %-24s %s (%s)", Paint(Green, "stopped"), w.Name, w.About, by)
		}
	}
	for _, w := range r.Report.Works {
		switch {
		case slices.Contains(r.Broken, w.Name):
			s.Print("%s  %s", Paint(Yellow, "broken "), w.Name)
		default:
			s.Print("%s  %s", Paint(Green, "works  "), w.Name)
		}
	}
	s.Print("%d ways out tried in %s, %d led out (a page may load from %s hosts)",
		len(r.Report.Ways)-len(r.Untried), r.Browser, len(r.Hits), map[bool]string{true: "listed", false: "public"}[listed])
	if len(r.Hits) > 0 {
		s.Print("  unless allow_private means to open it, this is a fault: set mode = \"external\" in [browser], and report it with --json")
	}
}
