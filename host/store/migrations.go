package store

// migrations bring the schema from version i to i+1 (PRAGMA user_version).
// They are only ever appended to.
//
// Times are nanoseconds since 1970. A step and an event keep their JSON in
// body, the one source of truth, beside the columns that queries need: a new
// field of a step needs no migration.
var migrations = []string{first, second, third}

const first = `
CREATE TABLE runs (
	run_id         TEXT PRIMARY KEY COLLATE NOCASE NOT NULL,
	goal           TEXT NOT NULL,
	status         TEXT NOT NULL,
	started_at     INTEGER NOT NULL,
	duration_ms    INTEGER NOT NULL,
	actions        INTEGER NOT NULL,
	answer         TEXT NOT NULL,
	error          TEXT,          -- JSON
	interpretation TEXT,          -- JSON
	result         TEXT,          -- JSON
	owner          TEXT NOT NULL  -- the program that runs it: owners/ID.lock
) STRICT, WITHOUT ROWID;
CREATE INDEX runs_by_time ON runs (started_at, run_id);

CREATE TABLE steps (
	seq      INTEGER PRIMARY KEY,
	run_id   TEXT NOT NULL COLLATE NOCASE REFERENCES runs ON DELETE CASCADE,
	step_id  TEXT NOT NULL,
	ended_at INTEGER NOT NULL,
	body     TEXT NOT NULL -- JSON
) STRICT;
CREATE INDEX steps_of_run ON steps (run_id, seq);

CREATE TABLE intents ( -- calls with an effect that began and whose step is not there yet
	seq     INTEGER PRIMARY KEY,
	run_id  TEXT NOT NULL COLLATE NOCASE REFERENCES runs ON DELETE CASCADE,
	step_id TEXT NOT NULL,
	body    TEXT NOT NULL -- JSON of the step as it was about to be
) STRICT;
CREATE INDEX intents_of_step ON intents (run_id, step_id);

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
	body       TEXT NOT NULL -- JSON
) STRICT, WITHOUT ROWID;
CREATE INDEX drafts_by_state ON drafts (state, created_at);
`

// second makes runs that can be resumed, the ledger of effects, the memory of
// facts and the journal. Calls that had begun and had no step are its first
// claims.
const second = `
ALTER TABLE runs ADD COLUMN state TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN stop_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN draft_id TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN setting TEXT; -- settings.hash
UPDATE runs SET
	state = CASE status WHEN 'running' THEN 'EXECUTE_TOOL' WHEN 'failed' THEN 'ERROR' ELSE 'STOP' END,
	stop_reason = CASE status WHEN 'done' THEN 'completed' WHEN 'failed' THEN 'error' WHEN 'denied' THEN 'policy_denied'
		WHEN 'interrupted' THEN 'interrupted' WHEN 'needs_approval' THEN 'awaiting_approval' ELSE '' END;

CREATE TABLE settings ( -- what runs were planned in; those of many runs are equal
	hash TEXT PRIMARY KEY NOT NULL, -- SHA-256 of body
	body TEXT NOT NULL              -- JSON
) STRICT, WITHOUT ROWID;

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
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_of_run ON ledger (run_id, told);

INSERT OR IGNORE INTO ledger (key, run_id, step_id, state, owner, claimed_at, body)
	SELECT i.run_id || ':' || i.step_id, i.run_id, i.step_id,
		CASE r.status WHEN 'running' THEN 'PENDING' ELSE 'UNKNOWN' END, r.owner, r.started_at,
		json_set(i.body, '$.effect_key', i.run_id || ':' || i.step_id)
	FROM intents i JOIN runs r USING (run_id) ORDER BY i.seq DESC;
DROP TABLE intents;

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

ALTER TABLE drafts ADD COLUMN owner TEXT NOT NULL DEFAULT ''; -- the program that applies it
`

// third keeps what a person granted. Who uses a grant and its end by a person
// change; all else of it is its body.
const third = `
CREATE TABLE grants (
	grant_id   TEXT PRIMARY KEY COLLATE NOCASE NOT NULL,
	granted_at INTEGER NOT NULL,
	until      INTEGER,                     -- NULL: no end
	run_id     TEXT NOT NULL COLLATE NOCASE, -- that uses it; empty: none yet
	call_id    TEXT NOT NULL,               -- of the run, of one that is for once
	used_at    INTEGER,
	revoked_at INTEGER,
	revoked_by TEXT NOT NULL DEFAULT '',
	body       TEXT NOT NULL                -- JSON
) STRICT, WITHOUT ROWID;
`
