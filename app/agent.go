package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"

	"errand/app/config"
	"errand/app/doctor"
	"errand/app/grants"
	"errand/app/resident"
	"errand/app/session"
	"errand/host/browser/actions"
	"errand/host/browser/page"
	"errand/host/desktop/bus"
	host "errand/host/resident"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy"
)

// AgentCommand is the command of the resident process.
const AgentCommand = "agentd"

// ErrAgentRunning means that another resident process serves already, and ExitAgentRunning is the
// exit code of a program that ends because of it.
var ErrAgentRunning = host.ErrRunning

// ExitAgentRunning is for [ErrAgentRunning].
const ExitAgentRunning = host.ExitRunning

// Agent is the resident process as this program sees it, and the server of one.
type Agent struct{ *App }

// Agent returns the resident process of the user.
func (a *App) Agent() Agent { return Agent{a} }

// place returns the place of the user's resident process.
func (a Agent) place() (host.Place, bool) {
	return host.FindPlace(a.conf.Paths.Runtime, a.conf.Paths.State, a.o.Demo)
}

// identity returns what has to be the same in this program and in the resident process.
func (a Agent) identity() host.Identity {
	return host.Identity{Program: Version, Settings: settingsDigest(a.conf, a.o.Config.Env)}
}

// settingsDigest names the settings that the resident process depends on.
func settingsDigest(conf *config.Loaded, env []string) string {
	displays := []string{}
	for _, line := range env {
		if strings.HasPrefix(line, "DISPLAY=") || strings.HasPrefix(line, "WAYLAND_DISPLAY=") {
			displays = append(displays, line)
		}
	}
	browser := conf.Browser
	browser.Show = "" // this program decides what is shown
	b, err := json.Marshal(map[string]any{
		"policy": conf.Policy, "browser": browser, "sites": conf.Sites, "files": conf.Files, "displays": displays,
		"data": conf.Paths.Data, "cache": conf.Paths.Cache, "home": conf.Paths.Home,
	})
	if err != nil { // they are plain values
		panic(err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// client connects to the resident process. It finds none where there is no place for one.
func (a Agent) client() *host.Client {
	at, _ := a.place()
	c := &host.Client{Place: at, Identity: a.identity()}
	if len(a.o.Program) == 0 {
		return c
	}
	words, err := a.command()
	if err != nil {
		return c
	}
	c.Start = host.Command{Program: words[0], Args: words[1:], Env: a.o.Config.Env, Log: a.log()}.Start
	return c
}

// command is the command that starts the resident process.
func (a Agent) command() ([]string, error) {
	words := append(append([]string{}, a.o.Program...), AgentCommand)
	if a.o.Demo {
		words = append(words, "--demo")
	}
	if a.o.Config.File != "" {
		file, err := filepath.Abs(a.o.Config.File)
		if err != nil {
			return nil, err
		}
		words = append(words, "--config", file)
	}
	if a.o.Profile != nil {
		words = append(words, "--profile", *a.o.Profile)
	}
	return words, nil
}

func (a Agent) log() string { return filepath.Join(a.conf.Paths.State, AgentCommand+".log") }

// window returns the visible browser of the resident process; nil where there is none.
func (a Agent) window() *session.Window {
	if _, ok := a.place(); !ok || len(a.o.Program) == 0 || a.o.Profile != nil && *a.o.Profile == "" {
		return nil
	}
	return &session.Window{Client: sync.OnceValue(a.client), Allow: a.o.Allow}
}

// status asks the resident process for its status.
func (a Agent) status(ctx context.Context) (doctor.Agent, error) {
	s, err := a.client().Status(ctx)
	if host.IsSilent(err) {
		return doctor.Agent{}, err
	}
	if _, none := errors.AsType[*host.UnavailableError](err); none {
		return doctor.Agent{}, nil
	}
	return doctor.Agent{Status: s, Running: true, Fits: s.Identity == a.identity(), Idle: resident.Idle}, err
}

// Stop ends the resident process and that of the demo, with their browsers. It returns false if
// none is running.
func (a Agent) Stop(ctx context.Context) (stopped bool, err error) {
	for _, demo := range []bool{false, true} {
		at, _ := host.FindPlace(a.conf.Paths.Runtime, a.conf.Paths.State, demo)
		was, stopErr := (&host.Client{Place: at, Identity: a.identity()}).Stop(ctx)
		stopped, err = stopped || was, errors.Join(err, stopErr)
	}
	return stopped, err
}

// Pages lists the pages of the visible browser in the order of opening; the current one is
// that of goals about "this page". It starts nothing: without a window there are none.
func (a Agent) Pages(ctx context.Context) ([]host.Page, error) {
	return a.sessions.WindowPages(ctx)
}

// Serve is the resident process: it serves other programs until ctx is done, a program
// orders its end, or it was idle for 15 minutes. If another one serves already, the error is
// [host.ErrRunning].
func (a Agent) Serve(ctx context.Context, log *slog.Logger) error {
	at, ok := a.place()
	if !ok {
		return message.Error("resident.no_place")
	}
	if site, err := a.site(); err == nil && site != nil && log != nil {
		site.LogTo(log)
	}
	timers := a.scheduler(log)
	p := resident.New(resident.Options{
		Config: a.conf, Policy: a.gate, Grants: a.grants, Demo: a.o.Demo, Now: a.now,
		Sessions: func(gate policy.Chain, keeper *grants.Keeper) *session.Sessions {
			return session.New(session.Options{
				Config: a.conf, Policy: gate, Grants: keeper, Vault: a.vault, Site: a.site, Demo: a.o.Demo, AddCloser: a.addCloser, Now: a.now,
			})
		},
		Tools: a.browserTools,
		Wake: func(address string) {
			bus.UseSession(address)
			timers.Wake()
		},
	})
	s, err := host.Listen(host.ServerOptions{Place: at, Identity: a.identity(), Handler: p, InUse: timers.Pending, Idle: resident.Idle, Log: log})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan struct{})
	go func() { // ends with the process
		defer close(ended)
		timers.Run(ctx)
	}()
	err = s.Serve(ctx)
	cancel()
	<-ended
	return errors.Join(err, p.Close(), s.Close())
}

// browserTools makes the browser's tools for the browser of the resident process.
func (a Agent) browserTools(open func(context.Context) (*page.Browser, error), running func(context.Context) *page.Browser) []tool.Tool {
	return actions.New(actions.Options{
		Open: open, Running: running, SearchURL: a.conf.Catalogue.SearchURL, Results: resultShapes(a.conf),
		Files: actions.Files{Roots: a.allRoots, Downloads: a.Downloads},
	})
}

// allRoots returns the folders that tools of any run may use. The program of the run has checked
// which of them the run may use.
func (a Agent) allRoots() []string { return append(a.conf.Roots(), a.grants.AllFolders()...) }
