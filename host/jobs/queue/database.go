package queue

import (
	"context"
	"errors"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// database is one of the two databases, with River on it. Both take the same SQL.
type database interface {
	querier
	// inTx calls f in a transaction, which is committed if f returns nil.
	inTx(ctx context.Context, f func(transaction) error) error
	// cancelEntry cancels an entry, and the context of its attempt if one is under way.
	cancelEntry(ctx context.Context, entry int64) error
	start(ctx context.Context) error
	stop(ctx context.Context) error    // waits for jobs under way
	stopNow(ctx context.Context) error // cancels them
	close() error
}

// scan reads the columns of a row.
type scan func(into ...any) error

type querier interface {
	// exec returns the number of rows that were changed.
	exec(ctx context.Context, query string, args ...any) (int64, error)
	// query calls row for each row.
	query(ctx context.Context, query string, args []any, row func(scan) error) error
}

// transaction can insert entries into River's queue.
type transaction interface {
	querier
	insert(ctx context.Context, args river.JobArgs, o *river.InsertOpts) (entry int64, err error)
}

// client is River on one of the databases.
type client[Tx any] struct{ *river.Client[Tx] }

func (c client[Tx]) start(ctx context.Context) error   { return c.Client.Start(ctx) }
func (c client[Tx]) stop(ctx context.Context) error    { return c.Client.Stop(ctx) }
func (c client[Tx]) stopNow(ctx context.Context) error { return c.Client.StopAndCancel(ctx) }

func (c client[Tx]) cancelEntry(ctx context.Context, entry int64) error {
	_, err := c.JobCancel(ctx, entry)
	if errors.Is(err, rivertype.ErrNotFound) { // ended and removed
		return nil
	}
	return err
}

func (c client[Tx]) insertTx(ctx context.Context, tx Tx, args river.JobArgs, o *river.InsertOpts) (int64, error) {
	result, err := c.InsertTx(ctx, tx, args, o)
	if err != nil {
		return 0, err
	}
	return result.Job.ID, nil
}

// eachRow calls row for each of rows of either database. The caller closes them.
func eachRow(rows interface {
	Next() bool
	Scan(into ...any) error
	Err() error
}, row func(scan) error,
) error {
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}
