package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"time"

	"errand/host/event"
)

// In these queries ?1 is the list of runs and ?2 the list of drafts.
const (
	doomedRuns  = "(SELECT value FROM json_each(?1))"
	doomedSteps = "(SELECT seq FROM steps WHERE run_id IN " + doomedRuns + ")"
	ownKey      = "substr(key, 1, length(run_id) + 1) = run_id || ':'"
)

// measure counts the files and bytes to delete.
func (s *Store) measure(ctx context.Context, tx *sql.Tx, d *pruneSet) error {
	err := tx.QueryRowContext(ctx, `SELECT CAST(
		(SELECT total(octet_length(goal) + octet_length(answer) + octet_length(coalesce(interpretation, '')) +
			octet_length(coalesce(result, ''))) FROM runs WHERE run_id IN `+doomedRuns+`) +
		(SELECT total(octet_length(body)) FROM steps WHERE run_id IN `+doomedRuns+`) +
		(SELECT total(octet_length(body)) FROM events WHERE run_id IN `+doomedRuns+`) +
		(SELECT total(octet_length(body)) FROM turns WHERE run_id IN `+doomedRuns+`) +
		(SELECT total(octet_length(body)) FROM drafts WHERE draft_id IN (SELECT value FROM json_each(?2))) AS INTEGER)`,
		d.runList, d.draftList).Scan(&d.Bytes)
	if err != nil {
		return err
	}
	files, err := queryTexts(ctx, tx, `SELECT DISTINCT file FROM artifacts WHERE step IN `+doomedSteps+` AND NOT EXISTS
		(SELECT 1 FROM artifacts other WHERE other.file = artifacts.file AND other.step NOT IN `+doomedSteps+`)`, d.runList)
	if err != nil {
		return err
	}
	for _, file := range files {
		info, err := os.Stat(s.artifactPath(file))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		d.Artifacts++
		d.Bytes += info.Size()
	}
	return nil
}

// forget deletes the rows of d. If an effect outlives its run, the ledger keeps
// the step without its deleted files.
func (s *Store) forget(ctx context.Context, tx *txn, d pruneSet) error {
	for _, statement := range []string{
		"DELETE FROM ledger WHERE run_id IN " + doomedRuns + " AND (state = 'RELEASED' OR " + ownKey + ")",
		`UPDATE ledger SET step = NULL, recorded = body IS NULL,
			body = coalesce(body, (SELECT json_set(s.body, '$.artifacts', json('[]')) FROM steps s WHERE s.seq = ledger.step))
			WHERE step IN ` + doomedSteps,
		"DELETE FROM runs WHERE run_id IN " + doomedRuns, // and what belongs to them
		"DELETE FROM drafts WHERE draft_id IN (SELECT value FROM json_each(?2))",
		"DELETE FROM contexts WHERE run_id IN " + doomedRuns,
		"DELETE FROM settings WHERE hash NOT IN (SELECT setting FROM runs WHERE setting IS NOT NULL)",
	} {
		if _, err := tx.ExecContext(ctx, statement, d.runList, d.draftList); err != nil {
			return err
		}
	}
	for _, id := range d.runs {
		if err := s.addEvent(ctx, tx, event.Delete, runName(id)); err != nil {
			return err
		}
	}
	for _, id := range d.drafts {
		if err := s.addEvent(ctx, tx, event.Delete, draftName(id)); err != nil {
			return err
		}
	}
	return nil
}

// forgetPast deletes expired facts, grants that ended before a time, and journal
// rows from before both that time and the oldest run. Journal rows are in order of
// time, so the first row to keep ends the search.
func (s *Store) forgetPast(ctx context.Context, tx *sql.Tx, before time.Time) error {
	if _, err := tx.ExecContext(ctx, "DELETE FROM facts WHERE expires_at <= ?", s.now().UnixNano()); err != nil {
		return err
	}
	if err := forgetUsage(ctx, tx, before); err != nil {
		return err
	}
	if err := forgetClaims(ctx, tx, before); err != nil {
		return err
	}
	if err := forgetCallbacks(ctx, tx, before); err != nil {
		return err
	}
	if err := forgetGrants(ctx, tx, before); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM journal WHERE seq < coalesce(
		(SELECT seq FROM journal WHERE at >= min(?1, coalesce((SELECT min(started_at) FROM runs), ?1)) ORDER BY seq LIMIT 1),
		(SELECT max(seq) FROM journal))`, before.UnixNano())
	return err
}
