package servecmd

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"errand/app"
	"errand/app/api"
	"errand/app/config"
	"errand/app/i18n"
	"errand/app/jobs"
	host "errand/host/jobs"
)

// stopWait is how long jobs may go on when the server ends, before they are interrupted.
const stopWait = 5 * time.Second

// jobServer does the jobs of the local API.
type jobServer struct {
	api     *api.API
	service *jobs.Service
	queue   host.Queue
	reader  *app.App
}

// openJobs opens the jobs and starts to do them. The caller closes them.
func (s commands) openJobs(ctx context.Context, o app.Options, log *slog.Logger) (_ *jobServer, err error) {
	// A job shows no window: the user did not ask for one.
	o.Config.Env = append(slices.Clone(o.Config.Env), config.EnvName("browser.show")+"="+config.ShowNever)
	reader, err := app.Open(o)
	if err != nil {
		return nil, err
	}
	j := &jobServer{reader: reader}
	defer func() {
		if err != nil {
			_ = j.close()
		}
	}()
	program := app.JobProgramOf(reader)
	if j.queue, err = program.OpenQueue(ctx, log); err != nil {
		return nil, err
	}
	if err := j.prune(ctx); err != nil {
		return nil, err
	}
	service := jobs.New(jobs.Options{
		Queue: j.queue, Reader: program, MaxTime: program.MaxJobTime(), NewID: program.NewJobID, Now: time.Now, Text: i18n.English().Text,
		Open: func() (jobs.Program, error) {
			a, err := app.Open(o)
			if err != nil {
				return nil, err
			}
			return app.JobProgramOf(a), nil
		},
	})
	if err := service.Start(ctx); err != nil {
		return nil, err
	}
	j.service = service
	j.api = &api.API{Service: service, Text: i18n.English().Text, Log: log}
	return j, nil
}

// prune removes jobs that are older than runs are kept.
func (j *jobServer) prune(ctx context.Context) error {
	days := j.reader.Config().Store.RetentionDays
	if days == 0 {
		return nil
	}
	_, err := j.queue.Prune(ctx, time.Now().AddDate(0, 0, -days))
	return err
}

func (j *jobServer) routes() map[string]http.Handler {
	out := map[string]http.Handler{}
	for _, r := range j.api.Routes() {
		out[r.Pattern] = r.Handler
	}
	return out
}

// close waits for the jobs under way for a while, then interrupts them. They go on at the next start.
func (j *jobServer) close() error {
	var errs []error
	if j.service != nil {
		ctx, cancel := context.WithTimeout(context.Background(), stopWait)
		defer cancel()
		errs = append(errs, j.service.Stop(ctx))
	}
	if j.queue != nil {
		errs = append(errs, j.queue.Close())
	}
	return errors.Join(append(errs, j.reader.Close())...)
}
