-- Times are nanoseconds since 1970. The JSON of a step or an event is in body,
-- beside the columns that queries need. A new field of a step needs no new column.
--
-- Tables with long texts have row numbers. Without them, a search by the primary key would read the
-- whole row of each key that it compares. The long columns are last: the others are read without
-- them.

CREATE TABLE runs (
	run_id         TEXT PRIMARY KEY COLLATE NOCASE NOT NULL,
	status         TEXT NOT NULL,
	started_at     INTEGER NOT NULL,
	duration_ms    INTEGER NOT NULL,
	actions        INTEGER NOT NULL,
	owner          TEXT NOT NULL, -- the program that runs it: owners/ID.lock
	state          TEXT NOT NULL DEFAULT '',
	stop_reason    TEXT NOT NULL DEFAULT '',
	draft_id       TEXT NOT NULL DEFAULT '',
	setting        TEXT,          -- settings.hash
	goal           TEXT NOT NULL,
	answer         TEXT NOT NULL,
	error          TEXT,          -- JSON
	interpretation TEXT,          -- JSON
	result         TEXT           -- JSON
) STRICT;
CREATE INDEX runs_by_time ON runs (started_at, run_id);

CREATE TABLE steps (
	seq      INTEGER PRIMARY KEY,
	run_id   TEXT NOT NULL COLLATE NOCASE REFERENCES runs ON DELETE CASCADE,
	step_id  TEXT NOT NULL,
	ended_at INTEGER NOT NULL,
	body     TEXT NOT NULL -- JSON
) STRICT;
CREATE INDEX steps_of_run ON steps (run_id, seq);

CREATE TABLE events (
	seq    INTEGER PRIMARY KEY,
	run_id TEXT NOT NULL COLLATE NOCASE REFERENCES runs ON DELETE CASCADE,
	at     INTEGER NOT NULL,
	body   TEXT NOT NULL -- JSON
) STRICT;
CREATE INDEX events_of_run ON events (run_id, seq);

CREATE TABLE artifacts ( -- which files which steps need
	file TEXT NOT NULL,    -- below artifacts/: ab/abcd….png
	step INTEGER NOT NULL REFERENCES steps ON DELETE CASCADE,
	PRIMARY KEY (file, step)
) STRICT, WITHOUT ROWID;
CREATE INDEX artifacts_of_step ON artifacts (step);

CREATE TABLE drafts (
	draft_id   TEXT PRIMARY KEY COLLATE NOCASE NOT NULL,
	run_id     TEXT NOT NULL COLLATE NOCASE, -- may be gone: a draft outlives the record of its run
	digest     TEXT NOT NULL,
	state      TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	expires_at INTEGER NOT NULL,
	owner      TEXT NOT NULL DEFAULT '', -- the program that applies it
	body       TEXT NOT NULL -- JSON
) STRICT;
CREATE INDEX drafts_by_state ON drafts (state, created_at);

CREATE TABLE settings ( -- what runs were planned in; those of many runs are equal
	hash TEXT PRIMARY KEY NOT NULL, -- SHA-256 of body
	body TEXT NOT NULL              -- JSON
) STRICT;

CREATE TABLE ledger ( -- effects of calls
	key        TEXT PRIMARY KEY NOT NULL,
	run_id     TEXT NOT NULL COLLATE NOCASE, -- of the call that holds the claim; may be gone: some keys outlive their run
	step_id    TEXT NOT NULL,
	state      TEXT NOT NULL CHECK (state IN ('PENDING', 'COMMITTED', 'UNKNOWN', 'RELEASED')),
	owner      TEXT NOT NULL,    -- the program that claimed it
	claimed_at INTEGER NOT NULL,
	settled_at INTEGER,
	recorded   INTEGER NOT NULL DEFAULT 0, -- 1: settled by a step that was recorded, and not by a decision
	step       INTEGER,          -- steps.seq of the last step that settled it; NULL once that is pruned
	told       INTEGER NOT NULL DEFAULT 0, -- 1: that step is one of its own run
	body       TEXT              -- JSON of the step as it was about to be, or as it was before it was pruned; NULL where told
) STRICT;
CREATE INDEX ledger_of_run ON ledger (run_id, told);
CREATE INDEX ledger_pending ON ledger (claimed_at) WHERE state = 'PENDING';

CREATE TABLE facts ( -- what the last step that knew of it says
	fact       TEXT PRIMARY KEY NOT NULL, -- without "!"
	holds      INTEGER NOT NULL,
	run_id     TEXT NOT NULL,
	step_id    TEXT NOT NULL,
	at         INTEGER NOT NULL,
	expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE journal ( -- what changed, in its order; the newest row is never removed, so that no seq comes twice
	seq         INTEGER PRIMARY KEY,
	id          TEXT NOT NULL,
	at          INTEGER NOT NULL,
	time        TEXT,             -- as its source wrote it, where that is not at in UTC
	source      TEXT NOT NULL,
	detail_type INTEGER NOT NULL,
	resources   TEXT NOT NULL     -- JSON list of names
) STRICT;

CREATE TABLE grants ( -- who uses a grant and its end by the user change; the rest is in body
	grant_id   TEXT PRIMARY KEY COLLATE NOCASE NOT NULL,
	granted_at INTEGER NOT NULL,
	until      INTEGER,                     -- NULL: no end
	run_id     TEXT NOT NULL COLLATE NOCASE, -- that uses it; empty: none yet
	call_id    TEXT NOT NULL,               -- of the run, of one that is for once
	used_at    INTEGER,
	revoked_at INTEGER,
	revoked_by TEXT NOT NULL DEFAULT '',
	body       TEXT NOT NULL                -- JSON
) STRICT;
