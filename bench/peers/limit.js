// The limit: node:http, pg, and for each piece of work one prepared statement that finds the viewer, checks the access
// and writes the answer as JSON text. Nobody would want to maintain an API like this; nothing in Node can be faster.
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL),
});

const OF_TOKEN = `WITH v AS MATERIALIZED (
  SELECT u.id, u.name, u.email, t.scopes, m.organization_id, m.role FROM access_tokens t
  JOIN grants g ON g.id = t.grant_id JOIN clients c ON c.id = g.client_id JOIN users u ON u.id = g.user_id
  LEFT JOIN memberships m ON m.user_id = u.id
  WHERE t.secret_hash = $1 AND t.revoked_at IS NULL AND t.expires_at > now() AND g.revoked_at IS NULL
  AND c.deleted_at IS NULL AND u.disabled_at IS NULL)`;

const VIEWER = `WITH v AS MATERIALIZED (
  SELECT u.id, u.name, u.email, k.scopes, m.organization_id, m.role FROM api_keys k JOIN users u ON u.id = k.user_id
  LEFT JOIN memberships m ON m.user_id = u.id
  WHERE k.secret_hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
  AND u.disabled_at IS NULL)`;

/** A comment is an event, with the same UUID under a prefix of its own. */
const COMMENT_ID = `'cmt' || substr(e.id, 4)`;

const SEES = `EXISTS (SELECT FROM v WHERE v.organization_id = p.organization_id AND (v.role IN ('OWNER', 'ADMIN')
  OR v.role = 'MEMBER' AND p.access = 'OPEN'
  OR EXISTS (SELECT FROM project_members pm WHERE pm.organization_id = p.organization_id AND pm.project_id = p.id AND pm.user_id = v.id)))`;

const ROLE = `(SELECT CASE WHEN v.role IN ('OWNER', 'ADMIN') THEN 'ADMIN' WHEN v.role = 'MEMBER' THEN coalesce((SELECT pm.role::text
  FROM project_members pm WHERE pm.organization_id = p.organization_id AND pm.project_id = p.id AND pm.user_id = v.id), 'EDITOR')
  ELSE 'VIEWER' END FROM v WHERE v.organization_id = p.organization_id)`;

const FOLDER = `(SELECT json_build_object('id', f.id, 'name', f.name) FROM folders f WHERE f.id = d.folder_id)`;
const CREATOR = `(SELECT json_build_object('id', u.id, 'name', u.name, 'email', u.email) FROM users u WHERE u.id = d.created_by_id)`;

const PROFILE = `SELECT json_build_object('data', json_build_object('viewer', json_build_object('name', min(v.name),
  'email', min(v.email), 'organizations', json_build_object('nodes', json_agg(json_build_object('id', o.id, 'name', o.name)
  ORDER BY o.created_at, o.id)))))::text AS answer FROM v JOIN organizations o ON o.id = v.organization_id`;

const STATEMENTS = {
  nested: `${VIEWER}
SELECT json_build_object('data', json_build_object('organization', json_build_object('id', o.id, 'name', o.name, 'projects',
  json_build_object('nodes', (SELECT json_agg(json_build_object('id', p.id, 'name', p.name, 'documents',
    json_build_object('nodes', (SELECT json_agg(json_build_object('id', d.id, 'name', d.name, 'contentType', d.content_type,
        'size', d.size, 'createdAt', d.created_at, 'folder', ${FOLDER}, 'createdBy', ${CREATOR},
        'currentRevision', (SELECT json_build_object('id', r.id, 'number', r.number, 'size', r.size, 'createdAt', r.created_at)
          FROM revisions r WHERE r.organization_id = d.organization_id AND r.document_id = d.id AND r.number = d.revision_number),
        'comments', json_build_object('nodes', (SELECT coalesce(json_agg(json_build_object('id', ${COMMENT_ID}, 'text', e.data->>'text', 'createdAt', e.created_at)), '[]')
          FROM (SELECT * FROM events e WHERE e.organization_id = d.organization_id AND e.subject_id = d.id
            AND e.kind = 'document.commented' ORDER BY e.sequence LIMIT 2) e))))
      FROM (SELECT * FROM documents d WHERE d.organization_id = p.organization_id AND d.project_id = p.id
        AND d.state = 'ACTIVE' ORDER BY d.created_at DESC, d.id DESC LIMIT 10) d))))
    FROM (SELECT * FROM projects p WHERE p.organization_id = o.id AND ${SEES}
      ORDER BY p.created_at, p.id LIMIT 10) p)))))::text AS answer
FROM organizations o WHERE o.id = $2 AND EXISTS (SELECT FROM v WHERE v.organization_id = o.id)`,

  list: `${VIEWER}, page AS MATERIALIZED (SELECT d.* FROM (SELECT p.* FROM projects p WHERE p.id = $2 AND ${SEES}) p
  CROSS JOIN LATERAL (SELECT * FROM documents d WHERE d.organization_id = p.organization_id AND d.project_id = p.id
    AND d.state = 'ACTIVE' AND (d.created_at, d.id) < ($3, $4) ORDER BY d.created_at DESC, d.id DESC LIMIT 26) d)
SELECT json_build_object('data', json_build_object('project', json_build_object('documents', json_build_object(
  'nodes', (SELECT json_agg(json_build_object('id', d.id, 'name', d.name, 'contentType', d.content_type, 'size', d.size,
    'createdAt', d.created_at, 'folder', ${FOLDER}, 'createdBy', ${CREATOR})) FROM (SELECT * FROM page LIMIT 25) d),
  'pageInfo', json_build_object('hasNextPage', (SELECT count(*) > 25 FROM page), 'endCursor',
    (SELECT d.created_at || ',' || d.id FROM (SELECT * FROM page LIMIT 25) d ORDER BY d.created_at, d.id LIMIT 1))))))::text AS answer`,

  document: `${VIEWER}
SELECT json_build_object('data', json_build_object('document', json_build_object('id', d.id, 'name', d.name, 'contentType',
  d.content_type, 'size', d.size, 'version', d.version, 'createdAt', d.created_at, 'folder', ${FOLDER}, 'createdBy', ${CREATOR},
  'project', json_build_object('id', p.id, 'name', p.name, 'viewerRole', ${ROLE}))))::text AS answer
FROM documents d JOIN projects p ON p.organization_id = d.organization_id AND p.id = d.project_id WHERE d.id = $2 AND ${SEES}`,

  viewer: `${VIEWER} ${PROFILE}`,

  viewerOfToken: `${OF_TOKEN} ${PROFILE}`,

  search: `${VIEWER}
SELECT json_build_object('data', json_build_object('organization', json_build_object('search', json_build_object('nodes',
  json_agg(json_build_object('kind', h.kind, 'node', (SELECT json_build_object('id', d.id, 'name', d.name, 'project',
    json_build_object('id', d.project_id)) FROM documents d WHERE d.id = h.subject_id)) ORDER BY h.score DESC, h.subject_id DESC)))))::text AS answer
FROM (SELECT e.kind, e.subject_id, ts_rank(e.vector, $3::tsquery, 1) AS score FROM search_entries e
  JOIN projects p ON p.organization_id = e.organization_id AND p.id = e.project_id
  WHERE e.organization_id = $2 AND e.vector @@ $3::tsquery AND e.state <> 'RECYCLED' AND ${SEES}
  ORDER BY score DESC, e.subject_id DESC LIMIT 25) h`,

  tasks: `${VIEWER}, place AS (SELECT p.* FROM projects p WHERE p.id = $2 AND ${ROLE} IN ('ADMIN', 'EDITOR') FOR NO KEY UPDATE),
head AS (UPDATE event_heads h SET sequence = h.sequence + cardinality($3::text[]), hash = $5 FROM place
  WHERE h.organization_id = place.organization_id RETURNING h.sequence - cardinality($3::text[]) AS sequence),
made AS (INSERT INTO tasks (organization_id, id, project_id, name, name_key, created_by_id)
  SELECT place.organization_id, n.id, place.id, n.name, lower(n.name), (SELECT min(v.id) FROM v)
  FROM place, unnest($3::text[], $4::text[]) n(id, name) RETURNING *),
told AS (INSERT INTO events (organization_id, sequence, id, project_id, subject_id, kind, actor_id, data, created_at, hash)
  SELECT made.organization_id, head.sequence + row_number() OVER (), 'evt' || substr(made.id, 4), made.project_id, made.id,
    'task.created', made.created_by_id, json_build_object('after', json_build_object('name', made.name)), now(), $5
  FROM made, head)
SELECT json_build_object('data', json_build_object('createTasks', json_build_object('tasks',
  json_agg(json_build_object('id', id, 'name', name)))))::text AS answer FROM made`,

  comment: `${VIEWER}, place AS (SELECT d.* FROM documents d JOIN projects p ON p.organization_id = d.organization_id
  AND p.id = d.project_id WHERE d.id = $2 AND d.state = 'ACTIVE' AND ${ROLE} IN ('ADMIN', 'EDITOR')),
head AS (UPDATE event_heads h SET sequence = h.sequence + 1, hash = $5 FROM place
  WHERE h.organization_id = place.organization_id RETURNING h.sequence),
told AS (INSERT INTO events (organization_id, sequence, id, project_id, subject_id, kind, actor_id, data, created_at, hash)
  SELECT place.organization_id, head.sequence, $3, place.project_id, place.id, 'document.commented', (SELECT min(v.id) FROM v),
    json_build_object('text', $4::text), now(), $5 FROM place, head RETURNING *)
SELECT json_build_object('data', json_build_object('createComments', json_build_object('comments',
  json_agg(json_build_object('id', ${COMMENT_ID}, 'text', data->>'text')))))::text AS answer FROM told e`,

  confirm: `${VIEWER}, place AS (SELECT p.* FROM projects p WHERE p.id = $2 AND ${ROLE} IN ('ADMIN', 'EDITOR')),
received AS (SELECT u.*, n.name, n.document, n.at FROM unnest($3::text[], $4::text[], $5::text[]) WITH ORDINALITY n(upload, name, document, at)
  JOIN uploads u ON u.id = n.upload JOIN place ON place.id = u.project_id
  WHERE u.state = 'RECEIVED' AND u.user_id = (SELECT min(v.id) FROM v) FOR UPDATE OF u),
stored AS (INSERT INTO blobs (organization_id, id, sha256, size, content_type)
  SELECT organization_id, blob_id, sha256, size, 'application/octet-stream' FROM received),
made AS (INSERT INTO documents (organization_id, id, project_id, name, name_key, revision_number, content_type, size, created_by_id)
  SELECT organization_id, document, project_id, name, lower(name), 1, 'application/octet-stream', size, user_id FROM received),
revised AS (INSERT INTO revisions (organization_id, id, document_id, number, blob_id, name, content_type, size, created_by_id)
  SELECT organization_id, 'rev' || substr(document, 4), document, 1, blob_id, name, 'application/octet-stream', size, user_id FROM received),
confirmed AS (UPDATE uploads u SET state = 'CONFIRMED', confirmed_at = now(), document_id = r.document, revision_number = 1
  FROM received r WHERE u.id = r.id),
head AS (UPDATE event_heads h SET sequence = h.sequence + cardinality($3::text[]), hash = $6 FROM place
  WHERE h.organization_id = place.organization_id RETURNING h.sequence - cardinality($3::text[]) AS sequence),
told AS (INSERT INTO events (organization_id, sequence, id, project_id, subject_id, kind, actor_id, data, created_at, hash)
  SELECT r.organization_id, head.sequence + r.at, 'evt' || substr(r.document, 4), r.project_id, r.document, 'document.created', r.user_id,
    json_build_object('after', json_build_object('name', r.name)), now(), $6 FROM received r, head)
SELECT json_build_object('data', json_build_object('confirmUploads', json_build_object('documents',
  json_agg(json_build_object('id', document, 'name', name) ORDER BY at))))::text AS answer FROM received`,
};

const newId = (prefix) => `${prefix}_0${randomBytes(13).toString('hex').slice(0, 25)}`;
const hash = (text) => createHash('sha256').update(text).digest();

/** Each word of the index begins with the end of the organization's id; the last is the beginning of one. */
const tsquery = (id, words) => `${words.map((word) => `'${id.slice(-6)}${word}'`).join(' & ')}:*`;

/** The values of a statement, after the key's hash. */
const VALUES = {
  nested: ({ id }) => [id],
  list: ({ project, after = '2999-01-01T00:00:00Z,doc_' }) => [project, ...after.split(',')],
  document: ({ id }) => [id],
  viewer: () => [],
  viewerOfToken: () => [],
  search: ({ id, query }) => [id, tsquery(id, query.split(' '))],
  tasks: ({ project, names }) => [project, names.map(() => newId('tsk')), names, hash(names.join())],
  confirm: ({ project, files }) => [
    ...[project, files.map(({ uploadId }) => uploadId), files.map(({ name }) => name)],
    ...[files.map(() => newId('doc')), hash(JSON.stringify(files))],
  ],
  comment: ({ document, text }) => [document, newId('evt'), text, hash(text)],
};

async function answer(request, body) {
  const url = new URL(request.url, 'http://localhost');
  const name = url.pathname.slice(1);
  const input = body ? JSON.parse(body) : Object.fromEntries(url.searchParams);
  const key = hash((request.headers.authorization ?? '').slice('Bearer '.length));
  const { rows } = await pool.query({ name, text: STATEMENTS[name], values: [key, ...VALUES[name](input)] });
  return rows[0]?.answer;
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    try {
      const text = await answer(request, Buffer.concat(chunks).toString());
      response.writeHead(text ? 200 : 404, { 'content-type': 'application/json; charset=utf-8' }).end(text);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1');
