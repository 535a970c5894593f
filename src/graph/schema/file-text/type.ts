import {
  countTexts,
  findPageTexts,
  findTextStates,
  type TextPiece as Piece,
  type TextProgress as Progress,
  pageKey,
  piecesOfRevision,
  type TextState,
} from '../../../domain/file-text/document-text.ts';
import { retryTexts } from '../../../domain/file-text/document-text-retry.ts';
import type { TextStatus as Status } from '../../../generated/prisma/client.ts';
import type { GraphContext } from '../../engine/context.ts';
import { DocumentsInput, DocumentsPayload } from '../documents/mutations.ts';
import { Revision } from '../documents/revision.ts';
import { Document, INCLUDES_REVISION, newest } from '../documents/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect } from '../kernel/connection.ts';
import { Project } from '../projects/type.ts';

const TextStatus = builder.enumType('TextStatus', {
  description: 'How far the text of a file is, which is read in the background and then searched.',
  values: {
    PENDING: { description: 'It is to be read, or to be tried again.' },
    READY: { description: 'It is read, and searched.' },
    NONE: { description: 'The file has no text.' },
    FAILED: { description: 'It cannot be read; textError says why.' },
    SKIPPED: { description: 'The file is too large for it, or a broken image.' },
  } as const,
});

const stateOf = ({ blobId }: { blobId: string }, { load }: GraphContext): Promise<TextState> =>
  load.seen(findTextStates, blobId, 'Revision');

const STATUS = 'How far its text is.';
const ERROR =
  'Why its text could not be read, or why the last try failed; with READY, what of it is left out. Null otherwise.';

const TextPiece = builder.objectRef<Piece>('TextPiece').implement({
  description: 'A part of the text of a file.',
  fields: (t) => ({
    firstPage: t.exposeInt('firstPage', {
      nullable: true,
      description: 'The page it begins on, or the sheet or slide; null in a file that has none of these.',
    }),
    text: t.exposeString('text', {
      description: 'Plain text of at most 16,000 UTF-16 code units, a form feed before each further page.',
    }),
  }),
});

builder.objectFields(Revision, (t) => ({
  textStatus: t.field({
    type: TextStatus,
    description: STATUS,
    resolve: async (revision, _, ctx): Promise<Status> => (await stateOf(revision, ctx)).textStatus,
  }),
  textError: t.string({
    nullable: true,
    description: ERROR,
    resolve: async (revision, _, ctx) => (await stateOf(revision, ctx)).textError,
  }),
  textAttempts: t.int({
    description: 'How many attempts to extract its text were made since the last request for it.',
    resolve: async (revision, _, ctx) => (await stateOf(revision, ctx)).textAttempts,
  }),
  textNextAt: t.field({
    type: 'DateTime',
    nullable: true,
    description:
      'When its text is tried next, or tried again if nothing comes of this try; null unless PENDING.',
    resolve: async (revision, _, ctx) => {
      const { textStatus, textNextAt } = await stateOf(revision, ctx);
      return textStatus === 'PENDING' ? textNextAt : null;
    },
  }),
  recognizedPages: t.int({
    description:
      'On how many of its pages the text was recognised in a picture (OCR), as in a scan: it may have mistakes. An image counts as one page.',
    resolve: async (revision, _, ctx) => (await stateOf(revision, ctx)).textRecognized,
  }),
  text: t.string({
    nullable: true,
    description:
      'The text of one page, sheet or slide; null where there is none, and as long as it is not read.',
    args: { page: t.arg.int({ required: true, description: 'Which one, from 1.' }) },
    resolve: async ({ blobId }, { page }, { load }) =>
      (await load.one(findPageTexts, pageKey(blobId, page)))?.text ?? null,
  }),
  textPieces: t.connection({
    type: TextPiece,
    description: 'All of its text, from front to back, as far as it is read.',
    resolve: (revision, args, ctx) =>
      connect(ctx, piecesOfRevision, revision, args, (page) => ({
        ...page,
        filter: {},
        orderBy: { field: 'NUMBER', direction: 'ASC' },
      })),
  }),
}));

builder.objectFields(Document, (t) => ({
  textStatus: t.field({
    type: TextStatus,
    description: `${STATUS} Of the newest revision.`,
    extensions: INCLUDES_REVISION,
    resolve: async (document, _, ctx): Promise<Status> =>
      (await stateOf(await newest(document, {}, ctx), ctx)).textStatus,
  }),
  textError: t.string({
    nullable: true,
    description: `${ERROR} Of the newest revision.`,
    extensions: INCLUDES_REVISION,
    resolve: async (document, _, ctx) => (await stateOf(await newest(document, {}, ctx), ctx)).textError,
  }),
}));

const DOCUMENTS = 'How many documents.';

const TextProgress = builder.objectRef<Progress>('TextProgress').implement({
  description: 'How many documents of a project there are for each state that their text is in.',
  fields: (t) => ({
    pending: t.exposeInt('pending', { description: DOCUMENTS }),
    ready: t.exposeInt('ready', { description: DOCUMENTS }),
    none: t.exposeInt('none', { description: DOCUMENTS }),
    failed: t.exposeInt('failed', { description: DOCUMENTS }),
    skipped: t.exposeInt('skipped', { description: DOCUMENTS }),
  }),
});

builder.objectField(Project, 'textProgress', (t) =>
  t.field({
    type: TextProgress,
    description: 'How far the reading of its files is: of the documents in use that you see.',
    resolve: ({ id }, _, { load }) => load.seen(countTexts, id, 'Project'),
  }),
);

builder.mutationField('retryTexts', (t) =>
  t.field({
    type: DocumentsPayload,
    description:
      'Reads the text of documents again whose textStatus is FAILED; CONFLICT when that of one is not. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: DocumentsInput, required: true, description: 'The documents.' }) },
    resolve: async (_, { input }, ctx) => ({ documents: await retryTexts(ctx, input) }),
  }),
);
