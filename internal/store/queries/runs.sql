-- name: InsertRun :exec
INSERT INTO runs (id, chat_id, part_id, ordinal, engine, language, code, state, started_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: FinishRun :exec
UPDATE runs SET state = ?, state_lost = ?, error = ?, duration_ms = ? WHERE id = ?;

-- name: LoseRuns :exec
UPDATE runs SET state = 'lost', state_lost = 1 WHERE state = 'running';

-- name: DeleteOutputs :exec
DELETE FROM outputs WHERE run_id = ?;

-- name: InsertOutput :exec
INSERT INTO outputs (run_id, position, body) VALUES (?, ?, ?);

-- name: InsertBlob :exec
INSERT INTO blobs (hash, run_id, position, size) VALUES (?, ?, ?, ?);

-- The newest run of every fence of the given parts.
-- name: RunsOf :many
SELECT runs.id, runs.chat_id, runs.part_id, runs.ordinal, runs.engine, runs.language, runs.code,
       runs.state, runs.state_lost, runs.error, runs.started_at, runs.duration_ms
FROM runs
WHERE runs.part_id IN (sqlc.slice(parts))
  AND runs.id = (SELECT max(newer.id) FROM runs newer
                 WHERE newer.part_id = runs.part_id AND newer.ordinal = runs.ordinal)
ORDER BY runs.part_id, runs.ordinal;

-- name: OutputsOf :many
SELECT run_id, body FROM outputs WHERE run_id IN (sqlc.slice(runs)) ORDER BY run_id, position;

-- name: BlobHashes :many
SELECT DISTINCT hash FROM blobs;
