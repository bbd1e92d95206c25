package print

import (
	"slices"

	"errand/app/doctor"
	"errand/planner/message"
)

// PrintEgress prints a line for each way, the page's permitted work, and a summary.
func (s *Console) PrintEgress(r doctor.EgressReport) {
	states := s.Cells("cli.way_out", "cli.way_untried", "cli.way_stopped", "cli.page_broken", "cli.page_works")
	for _, w := range r.Report.Ways {
		switch {
		case w.Hits > 0:
			s.Printf("%s  %-24s %s", Paint(Red, states[0]), w.Name, message.New("cli.way_led_out", "about", w.Description))
		case !w.Tried:
			s.Printf("%s  %-24s %s", Paint(Yellow, states[1]), w.Name, message.New("cli.way_unknown", "about", w.Description))
		case w.Stop.Rule == "":
			s.Printf("%s  %-24s %s", Paint(Green, states[2]), w.Name, message.New("cli.way_not_requested", "about", w.Description))
		default:
			s.Printf("%s  %-24s %s (%s, %s)", Paint(Green, states[2]), w.Name, w.Description, w.Stop.By, w.Stop.Rule)
		}
	}
	for _, w := range r.Report.Works {
		if slices.Contains(r.Broken, w.Name) {
			s.Printf("%s  %s", Paint(Yellow, states[3]), w.Description)
		} else {
			s.Printf("%s  %s", Paint(Green, states[4]), w.Description)
		}
	}
	s.Print("cli.ways_out_tried", "tried", len(r.Report.Ways)-len(r.NotTried), "browser", r.Browser, "count", len(r.Hits), "listed", r.Subresources == "listed")
	if len(r.Hits) > 0 {
		s.Print("cli.ways_out_fault")
	}
}
