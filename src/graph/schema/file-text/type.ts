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
import { documentsInput, documentsPayload } from '../documents/mutations.ts';
import { Revision } from '../documents/revision.ts';
import { Document, INCLUDES_REVISION, newest } from '../documents/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect, fixedOrder } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { mutation } from '../kernel/mutation.ts';
import { Project } from '../projects/type.ts';

const TextStatus = builder.enumType('TextStatus', {
  description:
    'The state of extracting the text of a file, which runs in the background and makes the text searchable.',
  values: {
    PENDING: { description: 'Extraction is due, or will be retried.' },
    READY: { description: 'The text is extracted and searchable.' },
    NONE: {
      description: 'The file has no text, or is of a format that is not read; then textError says so.',
    },
    FAILED: { description: 'Extraction failed; textError has the reason.' },
    SKIPPED: { description: 'The file is too large, or is a broken image.' },
  } as const,
});

const stateOf = ({ blobId }: { blobId: string }, { load }: GraphContext): Promise<TextState> =>
  load.seen(findTextStates, blobId, 'Revision');

const STATUS = 'The state of extracting its text.';
const ERROR =
  'Why extraction, or its last attempt, failed; with NONE and SKIPPED, why the file is not read; with READY, which parts of the text are missing. Null otherwise.';

const byNumber = fixedOrder('NUMBER');

const TextPiece = builder.objectRef<Piece>('TextPiece').implement({
  scope: 'documents:read',
  description: 'A part of the text of a file.',
  fields: (t) => ({
    firstPage: t.exposeInt('firstPage', {
      nullable: true,
      description: 'The page, sheet or slide on which it begins; null in a file without pages.',
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
      'When the next attempt is due; during an attempt, when it is retried if it does not complete. Null unless PENDING.',
    resolve: async (revision, _, ctx) => {
      const { textStatus, textNextAt } = await stateOf(revision, ctx);
      return textStatus === 'PENDING' ? textNextAt : null;
    },
  }),
}));

builder.objectFields(Revision, (t) => ({
  recognizedPages: t.int({
    description:
      'The number of pages on which text was recognized in an image (OCR), which may contain mistakes. An image counts as one page.',
    resolve: async (revision, _, ctx) => (await stateOf(revision, ctx)).textRecognized,
  }),
  text: t.string({
    nullable: true,
    description: 'The text of one page, sheet or slide; null if there is none, or until it is extracted.',
    args: { page: t.arg.int({ required: true, description: 'The number of the page, from 1.' }) },
    resolve: async ({ blobId }, { page }, { load }) =>
      (await load.one(findPageTexts, pageKey(blobId, page)))?.text ?? null,
  }),
  textPieces: t.connection(
    {
      type: TextPiece,
      description: 'The whole text in order, as far as it is extracted.',
      resolve: (revision, args, ctx) => connect(ctx, piecesOfRevision, revision, args, byNumber),
    },
    connectionOf(TextPiece),
  ),
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

const DOCUMENTS = 'The number of documents in this state.';

const TextProgress = builder.objectRef<Progress>('TextProgress').implement({
  scope: 'documents:read',
  description: 'The number of documents of a project for each state of text extraction.',
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
    description: 'The progress of text extraction, for its active documents that are visible to you.',
    resolve: ({ id }, _, { load }) => load.seen(countTexts, id, 'Project'),
  }),
);

mutation('retryTexts', {
  scope: 'documents:write',
  description:
    'Retries the text extraction of documents whose textStatus is FAILED; CONFLICT if one has another status. Requires the role EDITOR in the project.',
  argument: 'The documents.',
  input: documentsInput,
  payload: documentsPayload,
  batch: { items: 'documentIds', empty: { documents: [] } },
  resolve: async (input, ctx) => ({ documents: await retryTexts(ctx, input) }),
});
