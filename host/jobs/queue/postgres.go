package queue

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

// migrationLock is the advisory lock of programs that make the tables.
const migrationLock = 0x45525251

// postgresDatabase is a PostgreSQL database, which several machines may use.
type postgresDatabase struct {
	client[pgx.Tx]
	pgxQuerier
	pool *pgxpool.Pool
}

func (q *Queue) openPostgreSQL(ctx context.Context) (database, error) {
	config, err := pgxpool.ParseConfig(q.o.DatabaseURL)
	if err != nil {
		return nil, err
	}
	config.ConnConfig.ConnectTimeout = 5 * time.Second
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	driver := riverpgxv5.New(pool)
	d := &postgresDatabase{pgxQuerier: pgxQuerier{pool}, pool: pool}
	err = func() error {
		migrator, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: q.o.Log})
		if err != nil {
			return err
		}
		lock, err := pool.Acquire(ctx)
		if err != nil {
			return err
		}
		defer lock.Release()
		if _, err := lock.Exec(ctx, "SELECT pg_advisory_lock($1)", int64(migrationLock)); err != nil {
			return err
		}
		defer func() {
			_, _ = lock.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", int64(migrationLock))
		}()
		if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil { // each step in a transaction
			return err
		}
		if err := createTables(ctx, d); err != nil {
			return err
		}
		c, err := river.NewClient(driver, q.riverConfig())
		d.client = client[pgx.Tx]{c}
		return err
	}()
	if err != nil {
		pool.Close()
		return nil, err
	}
	return d, nil
}

func (d *postgresDatabase) close() error {
	d.pool.Close()
	return nil
}

func (d *postgresDatabase) inTx(ctx context.Context, f func(transaction) error) error {
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error { return f(postgresTx{pgxQuerier{tx}, tx, d.client}) })
}

type postgresTx struct {
	pgxQuerier
	tx     pgx.Tx
	client client[pgx.Tx]
}

func (t postgresTx) insert(ctx context.Context, args river.JobArgs, o *river.InsertOpts) (int64, error) {
	return t.client.insertTx(ctx, t.tx, args, o)
}

// pgxQuerier queries a pool or a transaction.
type pgxQuerier struct {
	db interface {
		Exec(ctx context.Context, query string, args ...any) (pgconn.CommandTag, error)
		Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
	}
}

func (p pgxQuerier) exec(ctx context.Context, query string, args ...any) (int64, error) {
	tag, err := p.db.Exec(ctx, query, args...)
	return tag.RowsAffected(), err
}

func (p pgxQuerier) query(ctx context.Context, query string, args []any, row func(scan) error) error {
	rows, err := p.db.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	return eachRow(rows, row)
}
