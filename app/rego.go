package app

import (
	"context"
	"path/filepath"

	"errand/app/config"
	"errand/app/rego"
	"errand/app/replay"
	"errand/planner/message"
	"errand/policy"
)

// openRego opens the policies that are written in Rego; nil without any. A policy that can't be
// compiled is a [config.Problems]: nothing works until it is mended.
func openRego(conf *config.Loaded, o rego.Options) (*rego.Policy, error) {
	if len(conf.Rego) == 0 {
		return nil, nil
	}
	p, faults, err := rego.Open(context.Background(), conf.Rego, o)
	if err != nil {
		return nil, config.Problems{conf.RegoProblem("", 0, message.FromError(err))}
	}
	if len(faults) > 0 {
		var problems config.Problems
		for _, f := range faults {
			problems = append(problems, conf.RegoProblem(f.File, f.Line, message.Verbatim(f.Message)))
		}
		return nil, problems
	}
	return p, nil
}

// RegoOptions say where the compiler of policies is and where its results are kept.
func RegoOptions(conf *config.Loaded, env []string) rego.Options {
	return rego.Options{
		Compiler: rego.FindCompiler(env),
		CacheDir: filepath.Join(conf.Paths.Cache, "policies"), KeyFile: filepath.Join(conf.Paths.Data, "plugin-code.key"),
	}
}

// deciders are what decides beside the settings.
func deciders(narrowing policy.Decider, p *rego.Policy) []policy.Decider {
	if p == nil {
		return []policy.Decider{narrowing}
	}
	return []policy.Decider{narrowing, p}
}

// regoOfReplay opens the policies of a recorded run. The recorded configuration has no folders: what
// was compiled is kept with that of today's configuration.
func regoOfReplay(env []string, today *config.Loaded) replay.OpenRego {
	return func(recorded *config.Loaded) (policy.Decider, func() error, error) {
		p, err := openRego(recorded, RegoOptions(today, env))
		if err != nil {
			return nil, nil, err
		}
		return p, p.Close, nil
	}
}
