package manifest

import (
	"fmt"

	"errand/host/wasm/limit"
	"errand/planner/message"
)

// checkLengths refuses lists that are too long.
func (m *Manifest) checkLengths(f *problems) {
	check := func(key string, l limit.Limit, n int) {
		if err := l.Check(n); err != nil {
			f.require(false, key, message.FromError(err))
		}
	}
	check("hosts", limit.Hosts, len(m.Hosts))
	check("paths", limit.Paths, len(m.Paths))
	check("config", limit.Config, len(m.Config))
	for key, c := range m.Config {
		check("config."+key+".hosts", limit.ConfigHosts, len(c.Hosts))
	}
	check("phrases", limit.Phrases, len(m.Phrases))
	for i, p := range m.Phrases {
		check(fmt.Sprintf("phrases[%d].examples", i), limit.PhraseExamples, len(p.Examples))
	}
	check("tool", limit.ManifestTools, len(m.Tools))
	for i, t := range m.Tools {
		key := fmt.Sprintf("tool[%d].", i)
		check(key+"can_achieve", limit.CanAchieve, len(t.CanAchieve))
		check(key+"requires", limit.Requires, len(t.Requires))
		check(key+"effects", limit.Effects, len(t.Effects))
		check(key+"writes", limit.Writes, len(t.Writes))
		check(key+"argv", limit.Argv, len(t.Argv))
		check(key+"exit_codes", limit.ExitCodes, len(t.ExitCodes))
		check(key+"case", limit.Cases, len(t.Cases))
	}
}
