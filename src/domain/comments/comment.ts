import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Event } from '../../generated/prisma/client.ts';
import { ID_PREFIXES, idAs } from '../../lib/id.ts';
import { visibleEvents } from '../access/access-event.ts';
import { involvedCommentIds } from '../access/access-involved.ts';
import { projectListing } from '../access/project-listing.ts';
import { IN_RECYCLE_BIN, requireDocument, requireState } from '../documents/document-batch.ts';
import { byAge } from '../events/event.ts';
import { type NewEvent, recordEvents, subjectEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { parse, requireBatchLimit, text } from '../kernel/input.ts';
import type { Listing } from '../kernel/listing.ts';
import { projectPath } from '../kernel/project-path.ts';
import { tables } from '../kernel/tables.ts';
import { requireTask } from '../tasks/task-command.ts';

type EventColumns = Pick<
  Event,
  'id' | 'subjectId' | 'sequence' | 'actorId' | 'credentialId' | 'clientId' | 'createdAt' | 'redactedById'
>;

/** A comment is stored as an event with a text. It cannot be changed, only redacted. */
export interface Comment extends EventColumns {
  /** Empty once it is redacted. */
  text: string;
  /** The task's revision when the comment was created; null on documents, and once it is redacted. */
  taskRevision: number | null;
}

/** The id has the UUID of the event, and a prefix of its own: a comment and its event are two objects to a client. */
const columns = sql`${ID_PREFIXES.Comment} || substr(e.id, 4) AS id, e.subject_id, e.sequence, e.actor_id, e.credential_id, e.client_id, e.created_at, e.redacted_by_id, coalesce(e.data->>'text', '') AS text,
  (e.data->>'revision')::int AS task_revision`;

const listing = (name: string, kind: Sql): Listing<Comment, object, 'CREATED_AT'> => ({
  name,
  select: () => columns,
  from: tables.events.from,
  where: () => sql`e.organization_id = k.organization_id AND e.subject_id = k.id AND e.kind = ${kind}`,
  sorts: byAge<Comment>(tables.events),
});

/** The comments on a document. */
export const commentsOfDocument = listing('commentsOfDocument', sql`'document.commented'`);

/** The comments on a task. */
export const commentsOfTask = listing('commentsOfTask', sql`'task.commented'`);

/** On events as `e`, as the partial indexes have it. */
const IS_COMMENT = sql`(e.kind = 'document.commented' OR e.kind = 'task.commented')`;

/** The visible comments on the documents and tasks of a project. */
export const commentsOfProject: Listing<Comment, object, 'CREATED_AT'> = projectListing(
  {
    name: 'commentsOfProject',
    parentTable: sql`projects`,
    sorts: byAge<Comment>(tables.events),
    select: () => columns,
  },
  {
    rows: tables.events,
    projectId: sql`k.id`,
    matches: () => sql`true`,
    indexCondition: () => sql`true`,
    parentCondition: sql`e.organization_id = k.organization_id AND e.project_id = k.id AND ${IS_COMMENT}`,
    visible: visibleEvents,
    involvedIds: (viewer) => involvedCommentIds(viewer, sql`k.organization_id`),
  },
);

/** Reads the visible comments among the ids. */
export const findComments = ({ db, viewer }: Context, ids: readonly string[]) =>
  db.query<Comment>(sql`SELECT ${columns} FROM ${tables.events.from} WHERE e.id ${sql.any(ids.map((id) => idAs('Event', id)))}
    AND ${IS_COMMENT} AND ${visibleEvents(viewer, tables.events)}`);

const texts = z.array(text(10_000).refine((value) => value.trim() !== '', 'must not be empty'));
const onDocument = z.strictObject({ ...projectPath, documentId: z.string(), texts });

/** Creates a comment on a document for each text, in order; none without texts. Requires the role EDITOR in the project. */
export function createComments(ctx: Context, input: z.input<typeof onDocument>): Promise<Comment[]> {
  const { documentId, texts: commentTexts, ...path } = parse(onDocument, input);
  requireBatchLimit(commentTexts, ctx.limits.batchMax, 'texts');
  return inTransaction(ctx.db, async (tx) => {
    const document = await requireDocument(ctx, tx, documentId, path, 'commentOn');
    requireState([document], 'ACTIVE', IN_RECYCLE_BIN);
    return recordComments(
      ctx,
      tx,
      commentTexts.map((each) => subjectEvent(document, 'document.commented', { text: each })),
    );
  });
}

const onTask = z.strictObject({ ...projectPath, taskId: z.string(), texts });

/** Like createComments, on a task in any state. */
export function createTaskComments(ctx: Context, input: z.input<typeof onTask>): Promise<Comment[]> {
  const { taskId, texts: commentTexts, ...path } = parse(onTask, input);
  requireBatchLimit(commentTexts, ctx.limits.batchMax, 'texts');
  return inTransaction(ctx.db, async (tx) => {
    const task = await requireTask(ctx, tx, taskId, path);
    const revision = task.revisionNumber;
    return recordComments(
      ctx,
      tx,
      commentTexts.map((each) => subjectEvent(task, 'task.commented', { text: each, revision })),
    );
  });
}

type CommentEvent = Omit<EventColumns, 'redactedById'> & { data: { text: string; revision?: number } };

async function recordComments(ctx: Context, tx: Transaction, newEvents: NewEvent[]): Promise<Comment[]> {
  const events = (await recordEvents(ctx, tx, newEvents)) as unknown as CommentEvent[];
  return events.map(({ data: { text, revision = null }, ...event }) => ({
    ...event,
    id: idAs('Comment', event.id),
    text,
    taskRevision: revision,
    redactedById: null,
  }));
}
