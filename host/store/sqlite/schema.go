package sqlite

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"

	"errand/host/store"
	"errand/host/tool"
	"errand/planner/message"
)

const (
	// applicationID identifies our files (PRAGMA application_id): "ERN1".
	applicationID = 0x45524E31
	// earlierID identifies files of builds before the first release, which have
	// different tables: "ERND".
	earlierID = 0x45524E44

	// schemaNumber is the version of the tables (PRAGMA user_version).
	schemaNumber = 5

	turnsVersion = 4 // the first with the table turns
)

// tables1 creates the tables of version 1, and the others those that their version adds.
var (
	//go:embed tables.sql
	tables1 string
	//go:embed tables2.sql
	tables2 string
	//go:embed tables3.sql
	tables3 string
	//go:embed tables4.sql
	tables4 string
	//go:embed tables5.sql
	tables5 string
)

// schemaVersion returns the version of the tables in db, or 0 if there are none.
// It fails for a file that this program can't use. dir is for the error.
func schemaVersion(ctx context.Context, db querier, dir string) (int, error) {
	var version, id int
	if err := db.QueryRowContext(ctx, "SELECT user_version, application_id FROM pragma_user_version, pragma_application_id").Scan(&version, &id); err != nil {
		return 0, err
	}
	switch {
	case id == earlierID:
		return version, tool.NewError(tool.ToolUnavailable, store.CodeEarlier, message.New("store.earlier_version", "dir", dir)).
			WithHint(message.New("store.move_folder", "dir", dir, "to", dir+".old"))
	case version > schemaNumber:
		return version, tool.NewError(tool.ToolUnavailable, store.CodeNewer,
			message.New("store.newer_version", "version", version, "known", schemaNumber)).
			WithHint(message.New("store.update_errand"))
	case version > 0 && id != applicationID:
		return version, otherProgram()
	}
	return version, nil
}

// createSchema creates the tables that a file of an earlier version does not have, in one
// transaction. It does not change a file that [schemaVersion] refuses.
func createSchema(ctx context.Context, db *sql.DB, dir string) error {
	version, err := schemaVersion(ctx, db, dir)
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
	if version == schemaNumber {
		return nil
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if version, err = schemaVersion(ctx, tx, dir); err != nil || version == schemaNumber { // another program has created them
		return err
	}
	statements := []string{
		tables1, tables2, tables3, tables4, tables5, // by version
		fmt.Sprintf("PRAGMA user_version = %d", schemaNumber),
		fmt.Sprintf("PRAGMA application_id = %d", applicationID),
	}
	for _, statement := range statements[version:] {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return message.Error("store.create_tables", "cause", err)
		}
	}
	return tx.Commit()
}

// requireEmpty refuses to create our tables in another program's database.
func requireEmpty(ctx context.Context, db querier) error {
	var tables, id int
	if err := db.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM sqlite_schema), application_id FROM pragma_application_id").Scan(&tables, &id); err != nil {
		return err
	}
	if tables > 0 && id != applicationID {
		return otherProgram()
	}
	return nil
}

func otherProgram() *tool.Error {
	return tool.NewError(tool.ExecutionError, store.CodeCorrupt, message.New("store.foreign_tables", "file", dbName)).
		WithHint(message.New("store.move_or_choose"))
}

type querier interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}
