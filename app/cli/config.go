package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"errand/app/cli/print"
	"errand/app/config"
	"errand/host/tool"
	"errand/planner/message"
)

// configCommands has the commands below `errand config`.
type configCommands struct{ *commands }

func init() {
	addCommand("config", func(s *commands) *cobra.Command { return configCommands{s}.configCommand() })
}

func (s configCommands) configCommand() *cobra.Command {
	c := &cobra.Command{Use: "config"}
	c.AddCommand(
		&cobra.Command{
			Use: "path", Args: print.NoArgs,
			RunE: func(*cobra.Command, []string) error {
				// An invalid file has a path, too.
				place, err := config.Place(config.Options{File: s.ConfigFile, Env: s.Env})
				switch {
				case err != nil:
					return err
				case s.JSON:
					s.Document(map[string]any{"path": place})
				default:
					s.Printf("%s", place)
				}
				return nil
			},
		},
		&cobra.Command{
			Use: "show",
			Args: func(cmd *cobra.Command, args []string) error {
				if len(args) == 1 {
					return print.BadUsage("cli.no_arguments", "command", cmd.CommandPath(), "argument", args[0]).Hint("cli.use_config_get", "key", args[0])
				}
				return print.NoArgs(cmd, args)
			},
			RunE: func(*cobra.Command, []string) error {
				l, err := s.Load()
				if err != nil {
					return err
				}
				if s.JSON {
					s.Document(map[string]any{"values": config.Values(l)})
					return nil
				}
				return config.Write(s.Stdout, l)
			},
		},
		&cobra.Command{
			Use: "check", Args: print.NoArgs,
			RunE: func(*cobra.Command, []string) error {
				l, err := s.Load()
				if err != nil {
					return err
				}
				switch {
				case s.JSON:
					s.Document(map[string]any{"path": l.Paths.File, "found": l.Paths.FileExists, "ok": true})
				case l.Paths.FileExists:
					s.Print("cli.config_ok", "file", l.Paths.File)
				default:
					s.Print("cli.config_missing", "file", l.Paths.File)
				}
				return nil
			},
		},
		&cobra.Command{
			Use: "init", Args: print.NoArgs,
			RunE: func(*cobra.Command, []string) error {
				place, err := config.Place(config.Options{File: s.ConfigFile, Env: s.Env})
				if err != nil {
					return err
				}
				return s.initConfig(place)
			},
		},
	)
	c.AddCommand(s.getCommand())
	c.AddCommand(s.changeCommands()...)
	for _, sub := range c.Commands() {
		if sub.Name() != "init" {
			s.AddJSONFlag(sub)
		}
	}
	return c
}

// initConfig never overwrites a file: O_EXCL refuses one that exists.
func (s configCommands) initConfig(place string) error {
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		return message.Error("cli.make_config_folder", "cause", err)
	}
	f, err := os.OpenFile(place, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return tool.NewError(tool.ValidationError, "config_exists", message.New("cli.config_exists", "file", place)).
			WithHint(message.New("cli.config_exists_hint"))
	}
	if err != nil {
		return message.Error("cli.write_config", "cause", err)
	}
	_, err = f.Write(config.Template())
	if err := errors.Join(err, f.Close()); err != nil {
		return message.Error("cli.write_config", "cause", err)
	}
	s.Print("cli.config_written", "file", place)
	return nil
}
