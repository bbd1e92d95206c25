-- Version 3 of the tables: the model-driven agent.

CREATE TABLE usage ( -- tokens of language models
	day       TEXT NOT NULL, -- YYYY-MM-DD
	provider  TEXT NOT NULL,
	model     TEXT NOT NULL,
	requests  INTEGER NOT NULL,
	unpriced  INTEGER NOT NULL,
	sent      INTEGER NOT NULL,
	received  INTEGER NOT NULL,
	cost      INTEGER NOT NULL, -- millionths of a US dollar
	PRIMARY KEY (day, provider, model)
) STRICT, WITHOUT ROWID;
