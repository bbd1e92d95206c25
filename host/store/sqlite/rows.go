package sqlite

import (
	"context"
	"database/sql"
)

// eachRow calls do with each row of a query. An error of do ends it.
func eachRow(ctx context.Context, tx *sql.Tx, do func(*sql.Rows) error, query string, args ...any) error {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// queryTexts returns the rows of a query that has one column.
func queryTexts(ctx context.Context, tx *sql.Tx, query string, args ...any) ([]string, error) {
	var texts []string
	err := eachRow(ctx, tx, func(rows *sql.Rows) error {
		var text string
		err := rows.Scan(&text)
		texts = append(texts, text)
		return err
	}, query, args...)
	return texts, err
}
