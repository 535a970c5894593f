import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { visibleNotifications } from '../access/access-notification.ts';
import { waitingApprovals } from '../approvals/approval-page.ts';
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { NotifiedEvent } from './notification-text.ts';

/** What a mail says of a notification. */
export interface MailedNotification extends NotifiedEvent {
  subjectId: string;
  actorName: string | null;
  actorEmail: string | null;
  /** The name of the document, folder, project or task. */
  name: string;
  organizationName: string;
  /** The approver in whose place the person decides, if the approval was requested or delegated so. */
  inPlaceOf: string | null;
  /** Of a task. */
  dueAt: Date | null;
  /** A comment, or the reason that a person gave. */
  text: string | null;
}

/**
 * Whether what a notification `n`, by its event `e` on the task `t` if it is about one, asks of its owner can still be done. What
 * was completed, decided, withdrawn, or given to somebody else meanwhile needs no mail.
 */
const isStillToDo = sql`CASE
  WHEN n.kind IN ('TASK_ASSIGNED', 'TASK_DUE') THEN t.state = 'OPEN' AND t.assignee_id = n.user_id
  WHEN n.kind = 'TASK_OVERDUE' THEN t.state = 'OPEN'
  WHEN n.kind = 'APPROVAL_OVERDUE' THEN EXISTS (SELECT FROM approvals a
    WHERE a.organization_id = n.organization_id AND a.id = e.subject_id AND a.state = 'PENDING')
  WHEN n.kind = 'APPROVAL_REQUESTED' THEN EXISTS (
    SELECT FROM ${waitingApprovals(sql`n.subject_id`, sql`n.user_id`)} AND a.organization_id = n.organization_id)
  ELSE true END`;

/** The notifications that meet the condition, are unread, and ask for nothing that is done already, newest first. */
export const mailedNotifications = (
  reader: Reader,
  condition: (notifications: Rows<'notifications'>) => Sql,
): Promise<MailedNotification[]> =>
  reader.query<MailedNotification>(sql`
    SELECT n.kind, n.subject_id, e.kind AS event_kind, e.subject_id = n.subject_id AS is_of_subject, e.actor_id IS NULL AS is_by_server, u.name AS actor_name, u.email AS actor_email,
      coalesce(d.name, t.name, f.name, p.name) AS name, o.name AS organization_name, t.due_at,
      (SELECT f.name FROM approvers x JOIN users f ON f.id = x.delegated_from_id
        WHERE n.kind = 'APPROVAL_REQUESTED' AND x.organization_id = n.organization_id AND x.user_id = n.user_id
          AND x.approval_id IN (SELECT a.id FROM approvals a JOIN process_runs r ON r.organization_id = a.organization_id AND r.id = a.run_id
            WHERE a.organization_id = n.organization_id AND r.id = e.data ->> 'runId' AND a.state = 'PENDING')
        LIMIT 1) AS in_place_of,
      coalesce(e.data ->> 'text', e.data ->> 'comment', e.data ->> 'reason') AS text
    FROM ${tables.notifications.from}
    JOIN organizations o ON o.id = n.organization_id
    JOIN projects p ON p.organization_id = n.organization_id AND p.id = n.project_id
    JOIN events e ON e.organization_id = n.organization_id AND e.id = n.event_id
    LEFT JOIN users u ON u.id = e.actor_id
    LEFT JOIN documents d ON d.organization_id = n.organization_id AND d.id = n.subject_id
    LEFT JOIN tasks t ON t.organization_id = n.organization_id AND t.id = n.subject_id
    LEFT JOIN folders f ON f.organization_id = n.organization_id AND f.id = n.subject_id
    WHERE n.read_at IS NULL AND ${isStillToDo} AND ${condition(tables.notifications)} ORDER BY n.event_id DESC`);

/** A notification that its owner still sees, has not read, and can still act on. */
export const findUnreadNotification = async (
  reader: Reader,
  viewer: Viewer,
  id: string,
): Promise<MailedNotification | undefined> =>
  (
    await mailedNotifications(
      reader,
      (notifications) => sql`${notifications}.id = ${id} AND ${visibleNotifications(viewer, notifications)}`,
    )
  )[0];
