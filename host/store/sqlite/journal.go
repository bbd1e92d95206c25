package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"errand/host/event"
	"errand/planner/message"
)

// journalTable is the part of [Store] that keeps events; see [event.Journal].
type journalTable struct{ *database }

// source is the source of the store's own events.
const source = "host/store"

// Names of the store's resources. Steps are below their run.
func runName(id string) event.Name   { return event.Name("cld:errand.Run." + event.ID(id)) }
func draftName(id string) event.Name { return event.Name("cld:errand.Draft." + event.ID(id)) }
func grantName(id string) event.Name { return event.Name("cld:errand.Grant." + event.ID(id)) }
func stepName(runID, stepID string) event.Name {
	return runName(runID) + event.Name("/errand.Step."+event.ID(stepID))
}

// addEvent adds a change to the journal in the transaction that makes it. A resource
// whose id is too long for a name gets no event, because the record matters more.
func (d *database) addEvent(ctx context.Context, tx *txn, what event.DetailType, name event.Name) error {
	if name.Validate() != nil {
		return nil
	}
	e, err := note(ctx, tx.Tx, event.New(source, d.now(), what, name))
	if err == nil {
		tx.events = append(tx.events, e)
	}
	return err
}

// note adds a row.
func note(ctx context.Context, tx *sql.Tx, e event.Event) (event.Event, error) {
	resources, err := toJSON(e.Resources)
	if err != nil {
		return e, err
	}
	at, err := time.Parse(time.RFC3339Nano, e.Time)
	if err != nil {
		return e, err
	}
	var written any
	if clock(at.UnixNano()) != e.Time {
		written = e.Time
	}
	result, err := tx.ExecContext(ctx, "INSERT INTO journal (id, at, time, source, detail_type, resources) VALUES (?, ?, ?, ?, ?, ?)",
		e.ID, at.UnixNano(), written, e.Source, int(e.DetailType), string(resources))
	if err != nil {
		return e, err
	}
	e.Seq, err = result.LastInsertId()
	return e, err
}

// clock formats a time for an event.
func clock(nanoseconds int64) string { return time.Unix(0, nanoseconds).UTC().Format(time.RFC3339Nano) }

// Publish implements [event.Journal], for events about other resources than this
// record. It does not call Options.Publish, because the bus delivers them.
func (t journalTable) Publish(ctx context.Context, e event.Event) (event.Event, error) {
	if err := e.Validate(); err != nil {
		return event.Event{}, err
	}
	err := t.change(ctx, message.New("store.journal_event"), func(tx *txn) (err error) {
		e, err = note(ctx, tx.Tx, e)
		return err
	})
	if err != nil {
		return event.Event{}, err
	}
	return e, nil
}

// EventsSince implements [event.Journal]. Its time grows with the number of events after
// seq, for any prefix.
func (t journalTable) EventsSince(ctx context.Context, seq int64, prefix event.Prefix, limit int) ([]event.Event, error) {
	if err := prefix.Validate(); err != nil {
		return nil, err
	}
	var events []event.Event
	err := t.look(ctx, message.New("store.read_journal"), func(tx *sql.Tx) error {
		// The query finds candidates: names never need escaping in JSON.
		rows, err := tx.QueryContext(ctx, `SELECT seq, id, at, time, source, detail_type, resources FROM journal
			WHERE seq > ? AND instr(resources, ?) ORDER BY seq`, seq, `"`+strings.TrimSuffix(string(prefix), "/"))
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() && (limit <= 0 || len(events) < limit) {
			var e event.Event
			var at int64
			var written sql.Null[string]
			var resources sql.RawBytes
			if err := rows.Scan(&e.Seq, &e.ID, &at, &written, &e.Source, &e.DetailType, &resources); err != nil {
				return err
			}
			if err := json.Unmarshal(resources, &e.Resources); err != nil {
				return damagedError(err)
			}
			if e.Time = clock(at); written.Valid {
				e.Time = written.V
			}
			if slices.ContainsFunc(e.Resources, prefix.Matches) {
				events = append(events, e)
			}
		}
		return rows.Err()
	})
	return events, err
}

// LastSeq implements [event.Journal].
func (t journalTable) LastSeq(ctx context.Context) (int64, error) {
	var last int64
	err := t.look(ctx, message.New("store.read_journal"), func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM journal").Scan(&last)
	})
	return last, err
}
