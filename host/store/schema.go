package store

import (
	"context"
	"database/sql"
	"fmt"

	"errand/host/tool"
)

// applicationID marks the file as ours (PRAGMA application_id): "ERND".
const applicationID = 0x45524E44

func schemaVersion(ctx context.Context, db querier) (int, error) {
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, err
	}
	if version > len(migrations) {
		return version, tool.Errorf(tool.ToolUnavailable, CodeNewer,
			"the record was written by a newer errand (its schema is %d, this program knows %d)", version, len(migrations)).
			WithHint("update errand, or use another data folder")
	}
	return version, nil
}

func olderSchema(version int) *tool.Error {
	return tool.Errorf(tool.ToolUnavailable, CodeOlder,
		"the record was written by an older errand (its schema is %d, this program reads %d)", version, len(migrations)).
		WithHint("run a goal once, which brings it up to date")
}

// migrate brings the schema up to date, in one transaction: a program that
// dies meanwhile leaves the old one. A file that is not ours, or newer than
// this program, is refused before anything in it changes.
func migrate(ctx context.Context, db *sql.DB) error {
	version, err := schemaVersion(ctx, db)
	if err != nil {
		return err
	}
	if version == 0 {
		if err := requireEmpty(ctx, db); err != nil {
			return err
		}
	}
	var mode string
	if err := db.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
		return err
	}
	if version == len(migrations) {
		return nil
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if version, err = schemaVersion(ctx, tx); err != nil { // another program may have been faster
		return err
	}
	for ; version < len(migrations); version++ {
		if _, err := tx.ExecContext(ctx, migrations[version]); err != nil {
			return fmt.Errorf("bring the schema to version %d: %w", version+1, err)
		}
	}
	for _, pragma := range []string{
		fmt.Sprintf("PRAGMA user_version = %d", version),
		fmt.Sprintf("PRAGMA application_id = %d", applicationID),
	} {
		if _, err := tx.ExecContext(ctx, pragma); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// requireEmpty refuses to build our tables among another program's. Tables of
// ours are there where another program of ours was faster.
func requireEmpty(ctx context.Context, db querier) error {
	var tables, id int
	if err := db.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM sqlite_schema), application_id FROM pragma_application_id").Scan(&tables, &id); err != nil {
		return err
	}
	if tables > 0 && id != applicationID {
		return tool.Errorf(tool.ExecutionError, CodeCorrupt, "%s holds another program's tables", dbName).
			WithHint("move it away, or use another data folder")
	}
	return nil
}

type querier interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}
