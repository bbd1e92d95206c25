-- Version 4 of the tables: conversations with planners.

CREATE TABLE turns (
	seq    INTEGER PRIMARY KEY,
	run_id TEXT NOT NULL COLLATE NOCASE REFERENCES runs ON DELETE CASCADE,
	turn   INTEGER NOT NULL,
	role   TEXT NOT NULL,
	at     INTEGER NOT NULL,
	body   TEXT NOT NULL -- JSON
) STRICT;
CREATE INDEX turns_of_run ON turns (run_id, seq);
