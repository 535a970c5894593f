-- Tasks, approvals and submissions of the first project.
INSERT INTO tasks (organization_id, id, project_id, name, name_key, state, completed_at, priority, due_at, assignee_id, assignee_email,
  created_by_id, created_at)
SELECT pg_temp.id('org', 1), pg_temp.id('tsk', n), pg_temp.id('prj', 1), 'Check drawing ' || n, 'check drawing ' || n,
  (CASE WHEN n % 3 = 0 THEN 'COMPLETED' ELSE 'OPEN' END)::task_state,
  CASE WHEN n % 3 = 0 THEN pg_temp.at(n) END, n % 4, CASE WHEN n % 5 = 0 THEN pg_temp.at(3 * n) END,
  u.id, u.email, pg_temp.person(n + 1, :items, :members), pg_temp.at(n)
FROM generate_series(1, :items) n JOIN users u ON u.id = pg_temp.person(n, :items, :members);

INSERT INTO tasks (organization_id, id, project_id, name, name_key, assignee_id, assignee_email, created_by_id, created_at)
SELECT pg_temp.id('org', n), pg_temp.id('tsk', 2000000 + n), pg_temp.id('prj', 1000000 + n), 'Task ' || n, 'task ' || n,
  pg_temp.id('usr', 4), 'person4@example.test', pg_temp.id('usr', 1), pg_temp.at(n)
FROM generate_series(2, :organizations) n;

-- Subtasks of the first task.
UPDATE tasks SET parent_id = pg_temp.id('tsk', 1) WHERE id BETWEEN pg_temp.id('tsk', 2) AND pg_temp.id('tsk', :items / 2);

-- One process of one step, which has run on each task; half of it waits for the first person, 50 for the second and third.
INSERT INTO processes (organization_id, id, project_id, name, name_key, created_by_id, created_at)
SELECT pg_temp.id('org', 1), pg_temp.id('prc', n), pg_temp.id('prj', 1), 'Release ' || n, 'release ' || n, pg_temp.id('usr', 1), pg_temp.at(n)
FROM generate_series(1, :groups) n;

INSERT INTO process_steps (organization_id, id, process_id, rank, name, rule)
SELECT organization_id, 'pst' || substr(id, 4), id, 1, 'Check', 'ONE' FROM processes;

INSERT INTO process_step_approvers (organization_id, step_id, user_id)
SELECT organization_id, id, pg_temp.id('usr', 1) FROM process_steps;

INSERT INTO process_runs (organization_id, id, project_id, process_id, task_id, state, completed_at, created_by_id, created_at)
SELECT pg_temp.id('org', 1), pg_temp.id('run', n), pg_temp.id('prj', 1), pg_temp.id('prc', 1), pg_temp.id('tsk', n),
  (CASE WHEN n % 3 = 0 THEN 'APPROVED' ELSE 'PENDING' END)::approval_state, CASE WHEN n % 3 = 0 THEN pg_temp.at(n) END, pg_temp.person(n + 2, :items, :members), pg_temp.at(n)
FROM generate_series(1, :items) n;

INSERT INTO approvals (organization_id, id, project_id, run_id, step_id, rule, state, item_name_key, decided_at, created_at)
SELECT r.organization_id, 'apr' || substr(r.id, 4), r.project_id, r.id, pg_temp.id('pst', 1), 'ONE', r.state, t.name_key,
  CASE WHEN r.state = 'APPROVED' THEN r.created_at END, r.created_at
FROM process_runs r JOIN tasks t ON t.id = r.task_id;

INSERT INTO approvers (organization_id, approval_id, user_id, state, decided_at)
SELECT pg_temp.id('org', 1), pg_temp.id('apr', n), pg_temp.person(n, :items, :members),
  (CASE WHEN n % 3 = 0 THEN 'APPROVED' ELSE 'PENDING' END)::approval_state, CASE WHEN n % 3 = 0 THEN pg_temp.at(n) END
FROM generate_series(1, :items) n;

-- Forms: all submissions are of the first.
INSERT INTO form_templates (organization_id, id, project_id, name, name_key, state, created_by_id, created_at)
SELECT pg_temp.id('org', 1), pg_temp.id('frm', n), pg_temp.id('prj', 1), 'Form ' || n, 'form ' || n, 'SHARED', pg_temp.id('usr', 1), pg_temp.at(n)
FROM generate_series(1, :projects) n;

INSERT INTO fields (organization_id, id, project_id, name, name_key, type, created_by_id)
VALUES (pg_temp.id('org', 1), pg_temp.id('fie', 1), pg_temp.id('prj', 1), 'Remark', 'remark', 'TEXT', pg_temp.id('usr', 1));

INSERT INTO form_fields (organization_id, id, form_template_id, field_id, link_id, type, rank)
VALUES (pg_temp.id('org', 1), pg_temp.id('ffd', 1), pg_temp.id('frm', 1), pg_temp.id('fie', 1), 'growth', 'text', 1);

INSERT INTO form_submissions (organization_id, id, project_id, form_template_id, group_id, submitted_by_id, filing_next_at, filing_failed_at, created_at)
SELECT pg_temp.id('org', 1), pg_temp.id('fsb', n), pg_temp.id('prj', 1), pg_temp.id('frm', 1), pg_temp.id('sgr', n),
  pg_temp.person(n, :items, :members), NULL, CASE WHEN n % greatest(:items / 50, 1) = 0 THEN pg_temp.at(n) END, pg_temp.at(n)
FROM generate_series(1, :items) n;

INSERT INTO form_submission_values (organization_id, submission_id, form_field_id, position, text)
SELECT organization_id, id, pg_temp.id('ffd', 1), 0, 'Checked on site' FROM form_submissions;
