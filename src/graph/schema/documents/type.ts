import { commentsOfDocument } from '../../../domain/comments/comment.ts';
import {
  currentRevision,
  type Document as DocumentRow,
  findCurrentRevisions,
  findDocuments,
  findLabels,
  type Revision as RevisionRow,
  revisionsOfDocument,
} from '../../../domain/documents/document.ts';
import { documentUrl } from '../../../domain/downloads/download.ts';
import { findFolders } from '../../../domain/folders/folder.ts';
import { notFound } from '../../../domain/kernel/errors.ts';
import { includedRow, relationByColumn } from '../../../domain/kernel/relation.ts';
import type { GraphContext } from '../../engine/context.ts';
import { Comment } from '../comments/type.ts';
import { Folder } from '../folders/type.ts';
import { AS_OF, itemAt } from '../kernel/as-of.ts';
import { builder } from '../kernel/builder.ts';
import { ageDirection, connect, fixedOrder, OrderDirection } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { DOWNLOAD_URL, INLINE } from '../kernel/descriptions.ts';
import { IN_PAST } from '../kernel/field-options.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Project, projectOf, TO_PROJECT } from '../projects/type.ts';
import { Tracked, Versioned } from '../users/tracked.ts';
import { recordOpening } from './opening.ts';
import { Revision } from './revision.ts';

export const DocumentState = builder.enumType('DocumentState', {
  description: 'The state of a document.',
  values: {
    ACTIVE: { description: 'In use.' },
    RECYCLED: { description: 'In the recycle bin, until it is restored or purged.' },
  } as const,
});

export const DocumentOrigin = builder.enumType('DocumentOrigin', {
  description: 'How a document was created.',
  values: {
    UPLOAD: { description: 'From an upload.' },
    FORM: { description: 'From a form that was filled in.' },
    SEAL: { description: 'Its newest revision was created by sealing its signatures.' },
  } as const,
});

/** Extensions of a field whose resolver reads the newest revision. */
export const INCLUDES_REVISION = { includes: currentRevision };

/** The newest revision of a visible document. Throws NOT_FOUND if it was purged meanwhile. */
export const newest = (document: DocumentRow, _: object, ctx: GraphContext) =>
  (includedRow(document, currentRevision) as RevisionRow | null | undefined) ??
  newestOrNone(document, ctx).map(requireRevision);

/** The newest revision of a visible document; null if it was purged meanwhile. */
export const newestOrNone = (document: DocumentRow, { load }: GraphContext) =>
  load.of(findCurrentRevisions, `${document.id} ${document.revisionNumber}`, document);

function requireRevision(revision: RevisionRow | null): RevisionRow {
  if (!revision) throw notFound('Revision');
  return revision;
}

const byNumber = fixedOrder('NUMBER', 'DESC');
const byAge = fixedOrder('CREATED_AT');

/**
 * Further fields: approvals/process-run.ts, fields/lists.ts, file-pages.ts, file-text/type.ts, follows/type.ts,
 * forms/submission.ts, history/recorded-state.ts, lists.ts, picture.ts, retention.ts, retention/document.ts,
 * sealing/evidence.ts, signatures/form.ts, signatures/session.ts, tasks/lists.ts.
 */
export const Document = builder.prismaObject('Document', {
  scope: 'documents:read',
  description: 'A document of a project: a name, a folder, and revisions of its content.',
  interfaces: [Node, Versioned, Tracked],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization it belongs to.' }),
    project: t.field({
      type: Project,
      description: 'The project it belongs to.',
      extensions: TO_PROJECT,
      resolve: ({ projectId }, _, ctx) => projectOf(ctx, projectId),
    }),
    folder: t.field({
      type: Folder,
      nullable: true,
      description: 'The folder that contains it; null at the root, or if the folder is not visible to you.',
      extensions: { ...IN_PAST, relation: relationByColumn('folder_id', findFolders) },
      resolve: ({ folderId }, _, { load }) => (folderId ? load.one(findFolders, folderId) : null),
    }),
    name: t.exposeString('name', { description: 'Display name.' }),
    state: t.expose('state', { type: DocumentState, description: 'In use, or in the recycle bin.' }),
    origin: t.expose('origin', { type: DocumentOrigin, description: 'How it was created.' }),
    groupId: t.exposeID('groupId', {
      nullable: true,
      description: 'The same for all documents of one form submission.',
    }),
    assigneeEmails: t.stringList({
      description: 'The e-mail addresses of its assignees.',
      extensions: IN_PAST,
      resolve: async ({ id }, _, { load }) => (await load.one(findLabels, id))?.assigneeEmails ?? [],
    }),
    tags: t.stringList({
      description: 'Its tags.',
      extensions: IN_PAST,
      resolve: async ({ id }, _, { load }) => (await load.one(findLabels, id))?.tags ?? [],
    }),
    contentType: t.exposeString('contentType', { description: 'MIME type of the newest revision.' }),
    pageCount: t.exposeInt('pageCount', {
      nullable: true,
      description: 'The number of pages of the newest revision; null if unknown.',
    }),
    size: t.expose('size', { type: 'BigInt', description: 'The size of the newest revision in bytes.' }),
    revisionNumber: t.exposeInt('revisionNumber', { description: 'The number of the newest revision.' }),
    currentRevision: t.field({
      type: Revision,
      description: 'The newest revision.',
      extensions: { ...IN_PAST, relation: currentRevision },
      resolve: newest,
    }),
    downloadUrl: t.string({
      description: DOWNLOAD_URL,
      extensions: { ...IN_PAST, ...INCLUDES_REVISION },
      args: { inline: t.arg.boolean({ defaultValue: false, description: INLINE }) },
      resolve: async (document, { inline }, ctx, info) => {
        const [revision] = await Promise.all([
          newest(document, {}, ctx),
          recordOpening(document.id, ctx, info),
        ]);
        return documentUrl(ctx, document, revision, inline ?? false);
      },
    }),
    signedAt: t.expose('signedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its signatures were completed.',
    }),
    recycledAt: t.expose('recycledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was moved to the recycle bin.',
    }),
    purgeAt: t.expose('purgeAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it will be purged.',
    }),
    revisions: t.connection(
      {
        type: Revision,
        description: 'Its revisions, newest first by default.',
        args: {
          direction: t.arg({
            type: OrderDirection,
            defaultValue: 'DESC',
            description: 'The direction of the order by number.',
          }),
        },
        extensions: IN_PAST,
        resolve: (document, args, ctx) => connect(ctx, revisionsOfDocument, document, args, byNumber),
      },
      connectionOf(Revision),
    ),
    comments: t.connection(
      {
        scope: 'documents:read',
        type: Comment,
        description: 'Its comments, oldest first by default.',
        args: { direction: t.arg(ageDirection('ASC')) },
        resolve: (document, args, ctx) => connect(ctx, commentsOfDocument, document, args, byAge),
      },
      connectionOf(Comment),
    ),
  }),
});

nodeType('Document', ({ load }, id) => load.one(findDocuments, id));

builder.queryField('document', (t) =>
  t.field({
    type: Document,
    nullable: true,
    description: 'A document by its id. NOT_FOUND if it does not exist or is not visible to you.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }), asOf: t.arg(AS_OF) },
    resolve: (_, { id, asOf }, ctx) => itemAt(ctx, findDocuments, id, asOf, 'Document'),
  }),
);
