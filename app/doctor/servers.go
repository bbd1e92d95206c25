package doctor

import "errand/planner/message"

// checkServers describes the servers of others whose tools the configuration names. It starts none.
func (d *Doctor) checkServers() []Check {
	const name = "tool servers"
	if len(d.Config.MCP.Servers) == 0 || d.Servers == nil {
		return nil
	}
	var checks []Check
	for _, problem := range d.Servers() {
		checks = append(checks, Check{name, Warn, problem.Message, problem.Hint})
	}
	if len(checks) == 0 {
		checks = append(checks, Check{name, OK, message.New("doctor.servers_ready", "count", len(d.Config.MCP.Servers)), noHint})
	}
	return checks
}
