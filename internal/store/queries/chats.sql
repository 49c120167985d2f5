-- name: InsertChat :exec
INSERT INTO chats (id, title, agent_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?);

-- name: GetChat :one
SELECT id, title, agent_id, leaf_id, created_at, updated_at FROM chats WHERE id = ?;

-- name: ListChats :many
SELECT id, title, agent_id, leaf_id, created_at, updated_at FROM chats
ORDER BY updated_at DESC, id DESC LIMIT ?;

-- name: ListChatsAfter :many
SELECT id, title, agent_id, leaf_id, created_at, updated_at FROM chats
WHERE updated_at < sqlc.arg(updated_at) OR (updated_at = sqlc.arg(updated_at) AND id < sqlc.arg(id))
ORDER BY updated_at DESC, id DESC LIMIT sqlc.arg(page);

-- name: SetLeaf :exec
UPDATE chats SET leaf_id = ?, agent_id = ?, updated_at = ? WHERE id = ?;

-- name: InsertMessage :exec
INSERT INTO messages (id, chat_id, parent_id, role, state, model, created_at)
VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: FinishMessage :exec
UPDATE messages SET state = ?, model = ?, prompt_tokens = ?, output_tokens = ? WHERE id = ?;

-- name: InterruptMessages :exec
UPDATE messages SET state = 'interrupted' WHERE state = 'running';

-- name: FinishRunningParts :exec
UPDATE parts SET done = 1
WHERE done = 0 AND message_id IN (SELECT m.id FROM messages m WHERE m.state = 'running');

-- The branch that ends at a leaf, first message first.
-- name: Branch :many
WITH RECURSIVE branch (id, depth) AS (
    SELECT m.id, 0 FROM messages m WHERE m.id = sqlc.arg(leaf)
    UNION ALL
    SELECT p.parent_id, branch.depth + 1 FROM messages p JOIN branch ON p.id = branch.id
    WHERE p.parent_id IS NOT NULL
)
SELECT messages.id, messages.chat_id, messages.parent_id, messages.role, messages.state,
       messages.model, messages.created_at
FROM branch JOIN messages ON messages.id = branch.id
ORDER BY branch.depth DESC;

-- name: InsertPart :exec
INSERT INTO parts (id, message_id, position, kind, text, data, duration_ms, done)
VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- name: GrowPart :exec
UPDATE parts SET text = ? WHERE id = ? AND done = 0;

-- name: FinishPart :exec
UPDATE parts SET text = ?, duration_ms = ?, done = 1 WHERE id = ? AND done = 0;

-- name: PartsOf :many
SELECT id, message_id, kind, text, data, duration_ms, done FROM parts
WHERE message_id IN (sqlc.slice(messages)) ORDER BY message_id, position;

-- name: PartChat :one
SELECT messages.chat_id FROM parts JOIN messages ON messages.id = parts.message_id WHERE parts.id = ?;

-- name: SetDraft :exec
INSERT INTO drafts (part_id, ordinal, code) VALUES (?, ?, ?)
ON CONFLICT (part_id, ordinal) DO UPDATE SET code = excluded.code;

-- name: DeleteDraft :exec
DELETE FROM drafts WHERE part_id = ? AND ordinal = ?;

-- name: DraftsOf :many
SELECT part_id, ordinal, code FROM drafts WHERE part_id IN (sqlc.slice(parts)) ORDER BY part_id, ordinal;
