import { z } from 'zod';
import { notFound } from '../domain/kernel/errors.ts';
import {
  AgentCommentDocumentDocument,
  AgentGetDocumentDocument,
  AgentListDocumentCommentsDocument,
  AgentListDocumentsDocument,
  AgentReadPageDocument,
  AgentReadPieceDocument,
  AgentSearchDocument,
} from '../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../graph/http/execute.ts';
import { commentRecord, documentRecord } from './record.ts';
import {
  fromOthers,
  idInput,
  listed,
  pageInput,
  pageOf,
  pageOutput,
  prefixInput,
  readingTool,
  type Tool,
  writingTool,
} from './tool.ts';
import { commentInput, requestKeyInput } from './writing.ts';

const listComments = storedOperation(AgentListDocumentCommentsDocument);
const listDocuments = storedOperation(AgentListDocumentsDocument);
const search = storedOperation(AgentSearchDocument);
const getDocument = storedOperation(AgentGetDocumentDocument);
const readPage = storedOperation(AgentReadPageDocument);
const readPiece = storedOperation(AgentReadPieceDocument);
const comment = storedMutation(AgentCommentDocumentDocument);

/** UTF-16 code units of one answer; a page that is longer is read in parts. */
const MAX_TEXT_LENGTH = 16_000;
const MAX_SNIPPETS = 10;

const requireDocument = <Found>(document: Found | null | undefined): Found => {
  if (!document) throw notFound('Document');
  return document;
};

const documentsSearch = readingTool({
  name: 'documents.search',
  title: 'Find documents',
  description:
    'Finds documents of an organization by words in their names, tags, fields, comments, folders and text. All words must occur; "words in quotes" in sequence.',
  input: z.strictObject({
    organizationId: idInput('organization'),
    projectId: idInput('project, to search it alone').optional(),
    query: z.string().min(1).max(1_000).describe('What to look for.'),
    ...pageInput(),
  }),
  output: pageOutput(
    z.object({
      document: documentRecord,
      snippets: z
        .array(z.object({ page: z.number().nullable().optional(), text: z.string() }))
        .max(MAX_SNIPPETS),
    }),
  ),
  operations: [search],
  run: async ({ organizationId, projectId, query, ...page }, execute) => {
    const filter = { kind: 'DOCUMENT' as const, ...(projectId && { projectIds: [projectId] }) };
    const { organization } = await execute(search, { organizationId, query, filter, ...pageOf(page) });
    if (!organization) throw notFound('Organization');
    const { nodes, pageInfo } = organization.search;
    // A document that was deleted in this moment has no node.
    const hits = nodes.flatMap(({ node, highlights }) =>
      node?.__typename === 'Document' ? [{ document: node, snippets: highlights }] : [],
    );
    return listed({ nodes: hits, pageInfo });
  },
});

const documentsList = readingTool({
  name: 'documents.list',
  title: 'List documents',
  description: 'Lists the documents of a project, or those directly in one of its folders.',
  input: z.strictObject({
    projectId: idInput('project'),
    folderId: idInput('folder').optional(),
    namePrefix: prefixInput,
    ...pageInput(),
  }),
  output: pageOutput(documentRecord),
  operations: [listDocuments],
  run: async ({ projectId, folderId, namePrefix, ...page }, execute) => {
    const { project } = await execute(listDocuments, {
      projectId,
      filter: { folderId, namePrefix, state: 'ACTIVE' },
      ...pageOf(page),
    });
    if (!project) throw notFound('Project');
    return listed(project.documents);
  },
});

const documentsGet = readingTool({
  name: 'documents.get',
  title: 'Look at a document',
  description:
    'What is known of a document, with the values of its fields; those of sensitive fields are left out.',
  input: z.strictObject({ documentId: idInput('document') }),
  output: fromOthers({
    document: documentRecord,
    fields: z.array(z.object({ name: z.string(), values: z.array(z.string()) })),
  }),
  operations: [getDocument],
  run: async ({ documentId }, execute) => {
    const document = requireDocument((await execute(getDocument, { documentId })).document);
    const fields = document.fieldValues
      .filter(({ field }) => !field.sensitive)
      .map(({ field, values }) => ({ name: field.label ?? field.name, values }));
    return { untrusted: true as const, document, fields };
  },
});

const documentsRead = readingTool({
  name: 'documents.read',
  title: 'Read a document',
  description:
    'Reads the text of the newest revision of a document: one page by its number, or else the text in parts, each with the cursor of the next.',
  input: z.strictObject({
    documentId: idInput('document'),
    page: z.int().min(1).max(1_000_000).optional().describe('Only this page, sheet or slide, from 1.'),
    cursor: pageInput().cursor,
  }),
  output: fromOthers({
    source: documentRecord,
    page: z.number().nullable().describe('The page on which the text begins; null where there are none.'),
    text: z.string().max(MAX_TEXT_LENGTH).nullable().describe('Null if there is none, or none yet.'),
    truncated: z.boolean().describe('The page is longer: read the parts, without `page`.'),
    nextCursor: z.string().nullable(),
  }),
  operations: [readPage, readPiece],
  run: async ({ documentId, page, cursor }, execute) => {
    if (page !== undefined) {
      const { document } = await execute(readPage, { documentId, page });
      const source = requireDocument(document);
      const { text } = source.currentRevision;
      return {
        ...{ untrusted: true as const, source, page, nextCursor: null },
        text: text?.slice(0, MAX_TEXT_LENGTH) ?? null,
        truncated: (text?.length ?? 0) > MAX_TEXT_LENGTH,
      };
    }
    const { document } = await execute(readPiece, { documentId, after: cursor ?? null });
    const source = requireDocument(document);
    const { items, nextCursor } = listed(source.currentRevision.textPieces);
    const [piece] = items;
    return {
      ...{ untrusted: true as const, source, nextCursor, truncated: false },
      page: piece?.firstPage ?? null,
      text: piece?.text ?? null,
    };
  },
});

const documentsComments = readingTool({
  name: 'documents.comments',
  title: 'Comments on a document',
  description: 'Lists the comments on a document, newest first.',
  input: z.strictObject({ documentId: idInput('document'), ...pageInput(20) }),
  output: pageOutput(commentRecord),
  operations: [listComments],
  run: async ({ documentId, ...page }, execute) => {
    const { document } = await execute(listComments, { documentId, ...pageOf(page) });
    return listed(requireDocument(document).comments);
  },
});

const documentsComment = writingTool(
  {
    name: 'documents.comment',
    title: 'Comment on a document',
    description: 'Writes a comment on a document, which everyone who sees the document can read.',
    input: z.strictObject({
      documentId: idInput('document'),
      text: commentInput,
      requestKey: requestKeyInput,
    }),
    output: z.object({ commentId: z.string() }),
    operations: [comment],
    run: async ({ documentId, text }, execute) => {
      const { createComments } = await execute(comment, { input: { documentId, texts: [text] } });
      return { commentId: createComments.comments[0]?.id ?? '' };
    },
  },
  { ends: false },
);

export const documentTools: Tool[] = [
  documentsComment,
  documentsComments,
  documentsGet,
  documentsList,
  documentsRead,
  documentsSearch,
];
