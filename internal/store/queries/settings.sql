-- name: GetSettings :one
SELECT body FROM settings WHERE id = 1;

-- name: PutSettings :exec
INSERT INTO settings (id, body) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body;

-- name: ListAgents :many
SELECT id, body FROM agents ORDER BY position, id;

-- name: InsertAgent :exec
INSERT INTO agents (id, position, body) VALUES (?, ?, ?);

-- name: DeleteAgents :exec
DELETE FROM agents;
