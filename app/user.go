package app

import "slices"

// user is who sits before this program, as its environment says.
func (a *App) user() string {
	env := a.o.Config.Env
	for _, name := range []string{"USER", "LOGNAME", "USERNAME"} {
		if i := slices.IndexFunc(env, func(line string) bool { return len(line) > len(name)+1 && line[:len(name)+1] == name+"=" }); i >= 0 {
			return env[i][len(name)+1:]
		}
	}
	return "the user of this machine"
}
