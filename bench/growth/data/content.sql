-- A tree of folders in the second project: a chain 15 deep, and below each of it but the last an equal part of all others.
INSERT INTO folders (organization_id, id, project_id, parent_id, ancestor_ids, link_sealed, name, name_key, created_by_id, created_at)
SELECT pg_temp.id('org', 1), pg_temp.id('fld', n), pg_temp.id('prj', 2), pg_temp.id('fld', p.depth),
  ARRAY(SELECT pg_temp.id('fld', a) FROM generate_series(1, p.depth) a ORDER BY a), 'sealed:growth' || n, 'Folder ' || n, 'folder ' || n,
  pg_temp.person(n, :folders, :members), pg_temp.at(n)
FROM generate_series(1, :folders) n, LATERAL (SELECT nullif(CASE WHEN n <= 15 THEN n - 1 ELSE 1 + n % 14 END, 0)) p(depth);

-- As many folders at the top of the fourth project.
INSERT INTO folders (organization_id, id, project_id, parent_id, ancestor_ids, link_sealed, name, name_key, created_by_id, created_at)
SELECT pg_temp.id('org', 1), pg_temp.id('fld', 1000000 + n), pg_temp.id('prj', 4), NULL, '{}', 'sealed:growth_top' || n, 'Top ' || n, 'top ' || n,
  pg_temp.person(n, :folders, :members), pg_temp.at(n)
FROM generate_series(1, :folders) n;

INSERT INTO blobs (organization_id, id, sha256, size, content_type, page_count, created_at)
VALUES (pg_temp.id('org', 1), pg_temp.id('blb', 1), sha256('growth'), 48213, 'application/pdf', 3, pg_temp.at(0));

-- The first document has the revisions and comments, and is open to all; the second, which is restricted, the same comments.
INSERT INTO documents (organization_id, id, project_id, name, name_key, revision_number, content_type, page_count, size, created_by_id, created_at)
SELECT pg_temp.id('org', 1), pg_temp.id('doc', n), pg_temp.id('prj', CASE WHEN n = 1 THEN 2 WHEN n = 2 THEN 1 ELSE n END), 'Drawing ' || n, 'drawing ' || n,
  CASE WHEN n = 1 THEN :revisions ELSE 1 END, 'application/pdf', 3, 48213, pg_temp.id('usr', 1), pg_temp.at(n)
FROM generate_series(1, :projects) n;

INSERT INTO revisions (organization_id, id, document_id, number, blob_id, name, content_type, page_count, size, created_by_id, created_at)
SELECT d.organization_id, pg_temp.id('rev', row_number() OVER ()), d.id, n, pg_temp.id('blb', 1), d.name, d.content_type,
  3, 48213, d.created_by_id, pg_temp.at(n)
FROM documents d, generate_series(1, CASE WHEN d.id = pg_temp.id('doc', 1) THEN :revisions ELSE 1 END) n;

-- Events: comments on the first document, then changes of all tasks, of which some are of another kind.
INSERT INTO events (organization_id, sequence, id, project_id, subject_id, kind, actor_id, data, created_at, hash)
SELECT pg_temp.id('org', 1), n, pg_temp.id('evt', n), pg_temp.id('prj', 2), pg_temp.id('doc', 1), 'document.commented',
  pg_temp.person(n, :comments, :members), jsonb_build_object('text', 'Remark ' || n || ': differs from the model.'), pg_temp.at(n), sha256('growth')
FROM generate_series(1, :comments) n;

INSERT INTO events (organization_id, sequence, id, project_id, subject_id, kind, actor_id, data, created_at, hash)
SELECT pg_temp.id('org', 1), :comments + n, pg_temp.id('evt', :comments + n), pg_temp.id('prj', 1), pg_temp.id('tsk', n),
  CASE WHEN n % 3 = 0 THEN 'task.completed' WHEN n % greatest(:items / 50, 1) = 1 THEN 'task.denied' ELSE 'task.updated' END,
  pg_temp.person(n, :items, :members), '{}', pg_temp.at(:comments + n), sha256('growth')
FROM generate_series(1, :items) n;

INSERT INTO event_heads (organization_id, sequence, hash)
SELECT o.id, coalesce((SELECT max(sequence) FROM events e WHERE e.organization_id = o.id), 0), sha256('growth') FROM organizations o;

INSERT INTO notification_cursors (organization_id, sequence) SELECT organization_id, sequence FROM event_heads;

-- The inbox of the first person; 40 are of another kind, half is unread.
INSERT INTO notifications (organization_id, id, user_id, project_id, kind, subject_id, event_id, happened_at, read_at)
SELECT pg_temp.id('org', 1), pg_temp.id('ntf', n), pg_temp.id('usr', 1), pg_temp.id('prj', 1),
  CASE WHEN n % greatest(:items / 40, 1) = 0 THEN 'MENTIONED' ELSE 'TASK_ASSIGNED' END, pg_temp.id('tsk', n), pg_temp.id('evt', :comments + n), pg_temp.at(n),
  CASE WHEN n % 2 = 0 THEN pg_temp.at(n) END
FROM generate_series(1, :items) n;

-- The first person follows as many folders.
INSERT INTO follows (organization_id, id, user_id, subject_id, project_id, folder_id, created_at)
SELECT organization_id, 'fol' || substr(id, 4), pg_temp.id('usr', 1), id, project_id, id, created_at FROM folders WHERE project_id = pg_temp.id('prj', 4);
