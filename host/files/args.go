package files

import (
	"path/filepath"
	"slices"

	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
)

// arguments are the parsed arguments of a call.
type arguments struct {
	path, trashed            string
	destination, createdPath string
	recursive                bool
	unchanged                *identity // required identity; nil if not given
}

// readArgs parses the arguments that a tool accepts and refuses others. The
// dispatcher checks the schema first; this also covers direct calls.
func readArgs(name string, args map[string]any, has ...string) (arguments, *tool.Error) {
	var a arguments
	for arg, v := range args {
		ok := slices.Contains(has, arg)
		switch {
		case !ok:
		case arg == "path":
			a.path, ok = v.(string)
		case arg == "trashed":
			a.trashed, ok = v.(string)
		case arg == "destination":
			a.destination, ok = v.(string)
		case arg == "made":
			a.createdPath, ok = v.(string)
		case arg == "recursive":
			a.recursive, ok = v.(bool)
		case arg == "if_unchanged":
			var fail *tool.Error
			if a.unchanged, fail = readIdentity(v); fail != nil {
				return a, fail
			}
		}
		if !ok {
			return a, tool.NewError(tool.ValidationError, "bad_args", message.New("files.bad_argument", "tool", name, "argument", arg))
		}
	}
	if a.createdPath != "" && !realpath.Contains(filepath.Clean(a.createdPath), filepath.Dir(filepath.Clean(a.path))) {
		return a, tool.NewError(tool.ValidationError, "bad_args", message.New("files.bad_argument", "tool", name, "argument", "made"))
	}
	return a, nil
}

func readIdentity(v any) (*identity, *tool.Error) {
	text, _ := v.(string)
	i, err := parseIdentity(text)
	if err != nil {
		return nil, tool.NewError(tool.ValidationError, "bad_args", message.New("files.bad_if_unchanged", "cause", err)).
			WithHint(message.New("files.identity_from_result"))
	}
	return &i, nil
}
