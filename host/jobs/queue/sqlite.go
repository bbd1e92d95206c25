package queue

import (
	"context"
	"database/sql"
	"net/url"
	"os"
	"path/filepath"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
	_ "modernc.org/sqlite" // the driver "sqlite", in pure Go
)

// sqliteDatabase is a file. Its one connection makes the writes of River and of Errand wait for each
// other, and not fail.
type sqliteDatabase struct {
	client[*sql.Tx]
	sqlQuerier
	db *sql.DB
}

func (q *Queue) openSQLite(ctx context.Context) (database, error) {
	name := filepath.Join(q.o.Dir, File)
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600) // SQLite would let others read it
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	place := url.URL{Scheme: "file", Path: name, RawQuery: url.Values{
		"_pragma": {"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "secure_delete(ON)"}, "_txlock": {"immediate"},
	}.Encode()}
	db, err := sql.Open("sqlite", place.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	driver := riversqlite.New(db)
	d := &sqliteDatabase{sqlQuerier: sqlQuerier{db}, db: db}
	err = func() error {
		migrator, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: q.o.Log})
		if err != nil {
			return err
		}
		if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
			return err
		}
		if err := createTables(ctx, d); err != nil {
			return err
		}
		config := q.riverConfig()
		config.PollOnly = true // looking for notices, 20 times a second, keeps an idle machine awake
		c, err := river.NewClient(driver, config)
		d.client = client[*sql.Tx]{c}
		return err
	}()
	if err != nil {
		_ = db.Close() // the first error matters more
		return nil, err
	}
	return d, nil
}

func (d *sqliteDatabase) close() error { return d.db.Close() }

func (d *sqliteDatabase) inTx(ctx context.Context, f func(transaction) error) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if err := f(sqliteTx{sqlQuerier{tx}, tx, d.client}); err != nil {
		return err
	}
	return tx.Commit()
}

type sqliteTx struct {
	sqlQuerier
	tx     *sql.Tx
	client client[*sql.Tx]
}

func (t sqliteTx) insert(ctx context.Context, args river.JobArgs, o *river.InsertOpts) (int64, error) {
	return t.client.insertTx(ctx, t.tx, args, o)
}

// sqlQuerier queries a *sql.DB or *sql.Tx.
type sqlQuerier struct {
	db interface {
		ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	}
}

func (s sqlQuerier) exec(ctx context.Context, query string, args ...any) (int64, error) {
	result, err := s.db.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

func (s sqlQuerier) query(ctx context.Context, query string, args []any, row func(scan) error) error {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	return eachRow(rows, row)
}
