package view

import (
	"slices"

	"errand/host/trace"
)

func CountSteps(steps []Step) Counts {
	c := Counts{Total: len(steps)}
	for _, s := range steps {
		c.count(s.Status, 1)
	}
	return c
}

// Move changes the status under which a step is counted.
func (c *Counts) Move(before, now string) {
	c.count(before, -1)
	c.count(now, 1)
}

func (c *Counts) count(status string, n int) {
	switch trace.Status(status) {
	case "":
	case trace.Running:
		c.Running += n
	case trace.Done:
		c.Done += n
	case trace.Skipped:
		c.Skipped += n
	default:
		c.Failed += n
	}
}

// SliceSteps returns a part of a run's steps. A range beyond the end is cut off.
func SliceSteps(v Run, from, limit int) StepsPage {
	all := v.Plan.Steps
	from = min(max(from, 0), len(all))
	to := min(from+min(max(limit, 0), MaxSteps), len(all))
	return StepsPage{RunID: v.RunID, Seq: v.Seq, From: from, Total: len(all), Steps: slices.Clone(all[from:to])}
}

// MaxSteps limits one [StepsPage].
const MaxSteps = 500
