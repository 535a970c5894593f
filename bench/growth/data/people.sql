-- Who is there: members, groups and projects of an organization, and a person in many organizations (the fourth).
INSERT INTO users (id, email, name, email_verified_at, created_at)
SELECT pg_temp.id('usr', n), 'person' || n || '@example.test', 'Person Number ' || n, pg_temp.at(n), pg_temp.at(n)
FROM generate_series(1, :members) n;

INSERT INTO organizations (id, name, name_key, created_by_id, created_at)
SELECT pg_temp.id('org', n), 'Northwind ' || n, 'northwind ' || n, pg_temp.id('usr', 1), pg_temp.at(n)
FROM generate_series(1, :organizations) n;

INSERT INTO memberships (organization_id, id, user_id, role, name_key, created_by_id, created_at)
SELECT pg_temp.id('org', 1), pg_temp.id('mem', n), pg_temp.id('usr', n),
  (CASE WHEN n = 1 THEN 'OWNER' WHEN n % 10 = 3 THEN 'GUEST' ELSE 'MEMBER' END)::organization_role,
  'person number ' || n, pg_temp.id('usr', 1), pg_temp.at(n)
FROM generate_series(1, :members) n WHERE n <> 4;

INSERT INTO memberships (organization_id, id, user_id, role, name_key, created_by_id, created_at)
SELECT pg_temp.id('org', n), pg_temp.id('mem', 1000000 + n), pg_temp.id('usr', 4), 'MEMBER', 'person number 4', pg_temp.id('usr', 1), pg_temp.at(n)
FROM generate_series(1, :organizations) n;

-- Projects: the first is restricted and holds the work, the second is open and holds the folders, the others have one document.
INSERT INTO projects (organization_id, id, name, name_key, access, created_by_id, created_at)
SELECT pg_temp.id('org', 1), pg_temp.id('prj', n), 'Project ' || n, 'project ' || n,
  (CASE WHEN n % 2 = 1 THEN 'RESTRICTED' ELSE 'OPEN' END)::project_access, pg_temp.id('usr', 1), pg_temp.at(n)
FROM generate_series(1, :projects) n;

-- A project in each of the other organizations, with one task of the person who is in all of them.
INSERT INTO projects (organization_id, id, name, name_key, access, created_by_id, created_at)
SELECT pg_temp.id('org', n), pg_temp.id('prj', 1000000 + n), 'Project', 'project', 'OPEN', pg_temp.id('usr', 1), pg_temp.at(n)
FROM generate_series(2, :organizations) n;

INSERT INTO project_members (organization_id, id, project_id, user_id, role, own_role, name_key, created_by_id, created_at)
SELECT pg_temp.id('org', 1), pg_temp.id('pmb', n), pg_temp.id('prj', 1), pg_temp.id('usr', n), 'VIEWER', 'VIEWER',
  'person number ' || n, pg_temp.id('usr', 1), pg_temp.at(n)
FROM generate_series(2, :members) n WHERE n <> 4;

-- The first group is as large as may be, each other one has three people; the first is in the third project, the others in the first.
INSERT INTO groups (organization_id, id, name, name_key, created_by_id, created_at)
SELECT pg_temp.id('org', 1), pg_temp.id('grp', n), 'Group ' || n, 'group ' || n, pg_temp.id('usr', 1), pg_temp.at(n)
FROM generate_series(1, :groups) n;

INSERT INTO group_members (organization_id, group_id, user_id)
SELECT pg_temp.id('org', 1), pg_temp.id('grp', 1), pg_temp.id('usr', n) FROM generate_series(5, least(:members, 900)) n;

INSERT INTO group_members (organization_id, group_id, user_id)
SELECT pg_temp.id('org', 1), pg_temp.id('grp', g), pg_temp.id('usr', 5 + (g + n) % (:members - 5))
FROM generate_series(2, :groups) g, generate_series(1, 3) n;

INSERT INTO project_groups (organization_id, project_id, group_id, role, created_by_id)
SELECT pg_temp.id('org', 1), pg_temp.id('prj', CASE WHEN n = 1 THEN 3 ELSE 1 END), pg_temp.id('grp', n), 'VIEWER', pg_temp.id('usr', 1)
FROM generate_series(1, :groups) n;

INSERT INTO project_members (organization_id, id, project_id, user_id, role, own_role, name_key, created_by_id, created_at)
SELECT pg_temp.id('org', 1), pg_temp.id('pmb', 1000000 + n), pg_temp.id('prj', 3), pg_temp.id('usr', n), 'VIEWER', NULL,
  'person number ' || n, pg_temp.id('usr', 1), pg_temp.at(n)
FROM generate_series(5, least(:members, 900)) n;
