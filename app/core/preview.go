package core

import "errand/app/core/say"

// preview says what a call does, from its arguments alone: the words of whoever
// proposed it might say something else. Every argument is in it.
func preview(language, tool string, args map[string]any) string {
	return say.Call(language, tool, args)
}

func pick(russian bool, ru, en string) string {
	if russian {
		return ru
	}
	return en
}

// shown is a value on one line; see [say.Value].
func shown(v any) string { return say.Value(v) }
