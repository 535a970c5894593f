import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { eventVisibleToRecipient, recipients, visibleToRecipient } from '../access/access-notification.ts';
import { tables } from '../kernel/tables.ts';
import { mentionedIn } from './mention.ts';
import {
  COMMENT_EVENTS,
  DECISION_EVENTS,
  FOLLOWED_EVENTS,
  NOTIFICATION_KINDS,
  type NotificationKind,
  SIGNING_EVENTS,
} from './notification-kind.ts';

/** The events after `from`, up to `through`, of an organization. */
export interface EventRange {
  organizationId: string;
  from: bigint;
  through: bigint;
}

/** A person to notify of an event now. */
export interface EventRecipient {
  userId: string;
  kind: NotificationKind;
  projectId: string;
  /** The document, folder, project or task: for FOLLOWED the one that is followed. */
  subjectId: string;
  eventId: string;
  happenedAt: Date;
}

/** Events of the range in projects as `e`, with the document, task, folder or project that each is about. */
const page = ({ organizationId, from, through }: EventRange): Sql => sql`page AS MATERIALIZED (
  SELECT e.*, CASE left(e.subject_id, 4) WHEN 'apr_' THEN e.data ->> 'itemId' ELSE e.subject_id END AS item_id
  FROM ${tables.events.from} WHERE e.organization_id = ${organizationId} AND e.sequence > ${from} AND e.sequence <= ${through}
    AND e.project_id IS NOT NULL)`;

/** Whom events concern directly, by kind: rows (sequence, user_id). */
const DIRECT: Partial<Record<NotificationKind, Sql>> = {
  TASK_ASSIGNED: sql`SELECT e.sequence, t.assignee_id AS user_id FROM page e
    JOIN tasks t ON t.organization_id = e.organization_id AND t.id = e.subject_id
    WHERE e.kind IN ('task.created', 'task.assigned') AND t.assignee_email = e.data -> 'after' ->> 'assigneeEmail'`,
  TASK_DUE: sql`SELECT e.sequence, t.assignee_id AS user_id FROM page e
    JOIN tasks t ON t.organization_id = e.organization_id AND t.id = e.subject_id
    WHERE e.kind = 'task.reminded' AND t.state = 'OPEN' AND t.assignee_id = e.data ->> 'assigneeId'`,
  TASK_OVERDUE: sql`SELECT e.sequence, x.id AS user_id FROM page e
    JOIN tasks t ON t.organization_id = e.organization_id AND t.id = e.subject_id
    CROSS JOIN LATERAL (VALUES (t.assignee_id), (t.created_by_id)) x(id)
    WHERE e.kind = 'task.overdue' AND t.state = 'OPEN'`,
  APPROVAL_OVERDUE: sql`SELECT e.sequence, x.id AS user_id FROM page e
    JOIN approvals a ON a.organization_id = e.organization_id AND a.id = e.subject_id
    JOIN process_runs r ON r.organization_id = a.organization_id AND r.id = a.run_id
    CROSS JOIN LATERAL (SELECT y.user_id FROM approvers y WHERE y.organization_id = a.organization_id
      AND y.approval_id = a.id AND y.state = 'PENDING' UNION SELECT r.created_by_id) x(id)
    WHERE e.kind = 'approval.overdue' AND a.state = 'PENDING'
      AND NOT coalesce(e.data -> 'escalatedToIds' @> to_jsonb(x.id), false)`,
  // Not of approvals that were withdrawn meanwhile.
  APPROVAL_REQUESTED: sql`SELECT e.sequence, x.user_id FROM page e
    CROSS JOIN LATERAL (SELECT jsonb_array_elements_text(q.value -> 'approverIds') AS user_id, q.value ->> 'approvalId' AS approval_id
      FROM jsonb_array_elements(jsonb_build_array(coalesce(e.data -> 'next', e.data))
        || coalesce(e.data -> 'parallel', e.data -> 'next' -> 'parallel', '[]')) q
      UNION SELECT e.data -> 'after' ->> 'approverId', e.subject_id) x
    WHERE (split_part(e.kind, '.', 1) = 'approval' OR split_part(e.kind, '.', 2) = 'processStarted')
      AND NOT EXISTS (SELECT FROM approvals a WHERE a.organization_id = e.organization_id AND a.id = x.approval_id
        AND a.state = 'WITHDRAWN')`,
  SIGNATURE_REQUESTED: sql`SELECT e.sequence, r.user_id FROM page e
    CROSS JOIN LATERAL jsonb_array_elements_text(coalesce(e.data -> 'recipientIds', e.data -> 'nextRecipientIds')) x(id)
    JOIN signature_recipients r ON r.organization_id = e.organization_id AND r.id = x.id
    WHERE e.kind IN ('document.signingBegan', 'document.signed') AND r.state = 'REQUESTED'`,
  APPROVAL_DECIDED: sql`SELECT e.sequence, r.created_by_id AS user_id FROM page e
    JOIN process_runs r ON r.organization_id = e.organization_id AND r.id = e.data ->> 'runId'
    WHERE e.kind = ANY(${DECISION_EVENTS})`,
  SIGNING_PROGRESSED: sql`SELECT e.sequence, g.created_by_id AS user_id FROM page e
    JOIN signature_sessions g ON g.organization_id = e.organization_id AND g.id = e.data ->> 'sessionId'
    WHERE e.kind = ANY(${SIGNING_EVENTS})`,
};

/** Whom to notify directly: all who see the subject now, but not of what they did themselves. Each once for an event. */
export async function findDirectRecipients(tx: Transaction, range: EventRange): Promise<EventRecipient[]> {
  const mentions = await findMentions(tx, range);
  const mentioned = sql`SELECT x.sequence, coalesce(gm.user_id, x.id) AS user_id
    FROM jsonb_to_recordset(${JSON.stringify(mentions)}::jsonb) AS x(sequence bigint, id text)
    LEFT JOIN group_members gm ON gm.organization_id = ${range.organizationId} AND gm.group_id = x.id`;
  const direct = Object.entries({ ...DIRECT, MENTIONED: mentioned }).map(
    ([kind, rows]) => sql`SELECT ${kind}::text AS kind, c.sequence, c.user_id FROM (${rows}) c`,
  );
  return tx.query<EventRecipient>(sql`WITH ${page(range)}, direct AS (${sql.join(direct, ' UNION ALL ')})
    SELECT DISTINCT ON (e.sequence, recipient.id) recipient.id AS user_id, c.kind, e.project_id, e.item_id AS subject_id,
      e.id AS event_id, e.created_at AS happened_at
    FROM direct c JOIN page e ON e.sequence = c.sequence JOIN ${recipients(range.organizationId)} ON recipient.id = c.user_id
    WHERE e.actor_id IS DISTINCT FROM recipient.id AND ${eventVisibleToRecipient(range.organizationId, tables.events)}
    ORDER BY e.sequence, recipient.id, array_position(${sql.texts([...NOTIFICATION_KINDS])}, c.kind)`);
}

interface CommentWithName {
  sequence: bigint;
  text: string;
  /** Of a person or a group. */
  id: string;
  email: string;
  name: string;
}

/** The people and groups whom the comments of the range mention. Names are compared here, so the database returns likely ones only. */
async function findMentions(tx: Transaction, range: EventRange) {
  const pairs = await tx.query<CommentWithName>(sql`WITH ${page(range)}, comments AS MATERIALIZED (
      SELECT e.* FROM page e WHERE e.kind = ANY(${COMMENT_EVENTS}) AND position('@' IN e.data ->> 'text') > 0)
    SELECT e.sequence, e.data ->> 'text' AS text, recipient.id, recipient.email, recipient.name
    FROM comments e JOIN ${recipients(range.organizationId)} ON
      position('@' || lower(recipient.email) IN lower(e.data ->> 'text')) > 0
      OR position('xn--' IN recipient.email) > 0
      OR position('@' || lower(recipient.name) IN lower(e.data ->> 'text')) > 0
    WHERE ${eventVisibleToRecipient(range.organizationId, tables.events)}
    UNION ALL SELECT e.sequence, e.data ->> 'text', gr.id, '', gr.name
    FROM comments e JOIN ${tables.groups.from} ON gr.organization_id = ${range.organizationId}
      AND position('@' || lower(gr.name) IN lower(e.data ->> 'text')) > 0
    ORDER BY 1, 3`);
  const bySequence = new Map<bigint, CommentWithName[]>();
  for (const pair of pairs) bySequence.set(pair.sequence, [...(bySequence.get(pair.sequence) ?? []), pair]);
  return [...bySequence].flatMap(([sequence, named]) =>
    mentionedIn(named[0]?.text ?? '', named).map(({ id }) => ({ sequence: String(sequence), id })),
  );
}

/** Who follows the thing with this id, and who is a stakeholder of it, a task: each once, as rows (user_id, project_id, subject_id). */
const informedOf = (organizationId: string, id: Sql): Sql => sql`
  SELECT f.user_id, f.project_id, f.subject_id FROM follows f
    WHERE f.organization_id = ${organizationId} AND f.subject_id = ${id}
  UNION SELECT s.user_id, t.project_id, s.task_id FROM task_stakeholders s
    JOIN tasks t ON t.organization_id = s.organization_id AND t.id = s.task_id
    WHERE s.organization_id = ${organizationId} AND s.task_id = ${id}`;

/**
 * For each follow, and each stakeholder of a task, the newest event of the range about it that the person sees and did not
 * cause. Only the newest is looked for, so a burst of events costs one check for each follow.
 */
export const findFollowers = (tx: Transaction, range: EventRange): Promise<EventRecipient[]> =>
  tx.query<EventRecipient>(sql`WITH ${page(range)}, shown AS MATERIALIZED (
      SELECT e.* FROM page e WHERE e.kind = ANY(${FOLLOWED_EVENTS})
    ), ordered AS MATERIALIZED (
      SELECT e.sequence, e.item_id AS id FROM shown e
      UNION SELECT e.sequence, e.project_id FROM shown e
      UNION SELECT e.sequence, unnest(f.id || f.ancestor_ids) FROM shown e
        JOIN documents d ON d.organization_id = e.organization_id AND d.id = e.item_id
        JOIN folders f ON f.organization_id = d.organization_id AND f.id = d.folder_id
      UNION SELECT e.sequence, unnest(f.ancestor_ids) FROM shown e
        JOIN folders f ON f.organization_id = e.organization_id AND f.id = e.item_id
    )
    SELECT w.user_id, 'FOLLOWED' AS kind, w.project_id, w.subject_id, newest.id AS event_id, newest.created_at AS happened_at
    FROM (SELECT DISTINCT id FROM ordered) one CROSS JOIN LATERAL (${informedOf(range.organizationId, sql`one.id`)}) w
    JOIN ${recipients(range.organizationId)} ON recipient.id = w.user_id
    CROSS JOIN LATERAL (SELECT e.id, e.created_at FROM ordered o JOIN shown e ON e.sequence = o.sequence
      WHERE o.id = w.subject_id AND e.actor_id IS DISTINCT FROM w.user_id
      AND ${eventVisibleToRecipient(range.organizationId, tables.events)} ORDER BY e.sequence DESC LIMIT 1) newest
    WHERE ${visibleToRecipient(range.organizationId, sql`w.subject_id`)}
    ORDER BY w.user_id, newest.id, array_position(ARRAY['doc_', 'tsk_', 'fld_', 'prj_'], left(w.subject_id, 4))`);
