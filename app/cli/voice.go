package cli

import (
	"errand/app/cli/input"
	"errand/app/cli/print"
	"errand/app/planning"
	"errand/planner/plan"
)

// readVoice reads the transcript in a file, if one is named.
func (s *commands) readVoice(name string) (*plan.Voice, error) {
	if name == "" {
		return nil, nil
	}
	b, err := s.ReadNamed(name)
	if err != nil {
		return nil, input.ReadError(name, err)
	}
	var in *planning.Transcript
	err = input.DecodeFile(b, &in)
	var v *plan.Voice
	if err == nil {
		v, err = in.Voice()
	}
	if err != nil {
		return nil, print.BadUsage("cli.bad_file", "file", name, "cause", err).Hint("cli.transcript_hint")
	}
	return v, planning.CheckGoal(v.Transcript)
}
