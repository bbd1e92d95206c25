-- Times are nanoseconds since 1970; 0 is none. SQLite and PostgreSQL take the same statements.

CREATE TABLE IF NOT EXISTS errand_tokens (
	token_id   TEXT PRIMARY KEY NOT NULL,
	name       TEXT NOT NULL,
	hash       TEXT NOT NULL UNIQUE, -- SHA-256 of the secret
	signing    TEXT NOT NULL,        -- signs callbacks
	scopes     TEXT NOT NULL,        -- with spaces between
	created_at BIGINT NOT NULL,
	revoked_at BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX IF NOT EXISTS errand_tokens_by_name ON errand_tokens (name) WHERE revoked_at = 0;

CREATE TABLE IF NOT EXISTS errand_jobs (
	job_id            TEXT PRIMARY KEY NOT NULL,
	session_id        TEXT NOT NULL,
	type              TEXT NOT NULL,
	status            TEXT NOT NULL,
	token_id          TEXT NOT NULL,
	key               TEXT NOT NULL, -- Idempotency-Key
	digest            TEXT NOT NULL, -- of the request
	owner             TEXT NOT NULL DEFAULT '', -- the program with its run
	ticket            BIGINT NOT NULL,          -- of the entry that counts
	entry             BIGINT NOT NULL DEFAULT 0, -- its id in river_job
	cancel_requested  BIGINT NOT NULL DEFAULT 0,
	created_at        BIGINT NOT NULL,
	started_at        BIGINT NOT NULL DEFAULT 0,
	ended_at          BIGINT NOT NULL DEFAULT 0,
	delivery          TEXT NOT NULL DEFAULT '',
	delivery_attempts BIGINT NOT NULL DEFAULT 0,
	delivery_error    TEXT NOT NULL DEFAULT '',
	callback_url      TEXT NOT NULL, -- until it was delivered
	input             TEXT NOT NULL, -- JSON, until the job has ended
	outcome           TEXT NOT NULL DEFAULT '{}' -- JSON
);
CREATE UNIQUE INDEX IF NOT EXISTS errand_jobs_by_key ON errand_jobs (token_id, key) WHERE key <> '';
CREATE INDEX IF NOT EXISTS errand_jobs_by_session ON errand_jobs (session_id, job_id);
CREATE INDEX IF NOT EXISTS errand_jobs_by_status ON errand_jobs (status, job_id);
