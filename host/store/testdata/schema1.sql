-- A record as the first version of the program left it: its schema, and what it
-- had written when it was ended in the middle of a call.
PRAGMA journal_mode = WAL;

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

INSERT INTO runs VALUES ('01done', 'open example.com', 'done', 1772366400000000000, 2500, 1, 'Done.', NULL, '{"status":"ok"}', '{"status":"success"}', 'gone');
INSERT INTO steps VALUES (1, '01done', 'a1', 1772366402000000000, '{"run_id":"01done","step_id":"a1","tool_name":"files.create_folder","args_hash":"","duration_ms":1000,"status":"done","error_code":"","artifacts":[{"name":"x","media_type":"text/plain","size":3,"sha256":"ba78","path":"ba/ba78.txt"}],"policy_flags":[],"started_at":"2026-03-01T12:00:01Z","verdict":"allow","rule":"write","args":{},"payload":null,"facts":["exists:/x"]}');
INSERT INTO artifacts VALUES ('ba/ba78.txt', 1);
INSERT INTO events VALUES (1, '01done', 1772366401000000000, '{"run_id":"01done","time":"2026-03-01T12:00:01Z","kind":"browser","data":{}}');
INSERT INTO runs VALUES ('02cut', 'make a folder', 'running', 1772366460000000000, 0, 1, '', NULL, NULL, NULL, 'gone');
INSERT INTO intents VALUES (1, '02cut', 'a1', '{"run_id":"02cut","step_id":"a1","tool_name":"files.create_folder","args_hash":"","duration_ms":0,"status":"running","error_code":"","artifacts":[],"policy_flags":[],"started_at":"2026-03-01T12:01:01Z","verdict":"allow","rule":"write","args":{"path":"/x"},"payload":null}');
INSERT INTO intents VALUES (2, '02cut', 'a1', '{"run_id":"02cut","step_id":"a1","tool_name":"files.create_folder","args_hash":"","duration_ms":0,"status":"running","error_code":"","artifacts":[],"policy_flags":[],"started_at":"2026-03-01T12:01:02Z","verdict":"allow","rule":"write","args":{"path":"/y"},"payload":null}');
INSERT INTO runs VALUES ('03stopped', 'make a file', 'interrupted', 1772366520000000000, 9, 1, '', '{"class":"execution_error","code":"interrupted","message":"it was interrupted","recoverable":false,"retriable":false}', NULL, NULL, 'gone');
INSERT INTO intents VALUES (3, '03stopped', 'a2', '{"run_id":"03stopped","step_id":"a2","tool_name":"files.create_file","args_hash":"","duration_ms":0,"status":"running","error_code":"","artifacts":[],"policy_flags":[],"started_at":"2026-03-01T12:02:01Z","verdict":"allow","rule":"write","args":{},"payload":null}');
INSERT INTO drafts VALUES ('d1', '03stopped', 'digest', 'APPLYING', 1772366520000000000, 1772367120000000000, '{"draft_id":"d1","plan_digest":"digest","state":"APPLYING","created_at":"2026-03-01T12:02:00Z","expires_at":"2026-03-01T12:12:00Z","run_id":"03stopped","plan":{"plan_id":"p"}}');

PRAGMA user_version = 1;
PRAGMA application_id = 1163021892;
