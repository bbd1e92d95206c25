package app

import (
	"os/user"
	"slices"
)

// user is the name of the user, from the environment or else from the system.
func (a *App) user() string {
	env := a.o.Config.Env
	for _, name := range []string{"USER", "LOGNAME", "USERNAME"} {
		if i := slices.IndexFunc(env, func(line string) bool { return len(line) > len(name)+1 && line[:len(name)+1] == name+"=" }); i >= 0 {
			return env[i][len(name)+1:]
		}
	}
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "?"
}
