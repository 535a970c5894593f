import type { Revision as RevisionRow } from '../../../domain/documents/document.ts';
import { isOffice } from '../../../domain/documents/rendition-request.ts';
import type { PicturedFile } from '../../../domain/downloads/download.ts';
import {
  findRenditions,
  type Rendition as Row,
  renditionFile,
  renditionUrl,
} from '../../../domain/renditions/rendition.ts';
import { retryRenditions } from '../../../domain/renditions/rendition-retry.ts';
import { toHex } from '../../../lib/text/hex.ts';
import type { GraphContext } from '../../engine/context.ts';
import { builder } from '../kernel/builder.ts';
import { DOWNLOAD_URL, INLINE } from '../kernel/descriptions.ts';
import { mutation } from '../kernel/mutation.ts';
import { documentsInput, documentsPayload } from './mutations.ts';
import { recordOpening } from './opening.ts';
import { Revision } from './revision.ts';

const RenditionState = builder.enumType('RenditionState', {
  description: 'The state of converting an office file to PDF, which runs in the background.',
  values: {
    PENDING: { description: 'It is due, or will be tried again.' },
    READY: { description: 'The PDF is there.' },
    FAILED: { description: 'The file cannot be converted; `error` has the reason.' },
  } as const,
});

const UNLESS_READY = 'Null unless READY.';

const Rendition = builder.objectRef<Row>('Rendition').implement({
  scope: 'documents:read',
  description:
    'The PDF that was made of an office file: what its pictures show, and what is signed. The file itself stays as it was uploaded.',
  fields: (t) => ({
    state: t.expose('state', { type: RenditionState, description: 'Whether it is there.' }),
    sha256: t.string({
      nullable: true,
      description: `SHA-256 of the PDF, in hex. ${UNLESS_READY}`,
      resolve: ({ sha256 }) => sha256 && toHex(sha256),
    }),
    pageCount: t.exposeInt('pageCount', {
      nullable: true,
      description: `The number of its pages. ${UNLESS_READY}`,
    }),
    size: t.expose('size', {
      type: 'BigInt',
      nullable: true,
      description: `Size of the PDF in bytes. ${UNLESS_READY}`,
    }),
    downloadUrl: t.string({
      nullable: true,
      description: `${DOWNLOAD_URL} ${UNLESS_READY}`,
      args: { inline: t.arg.boolean({ defaultValue: false, description: INLINE }) },
      resolve: async (rendition, { inline }, ctx, info) => {
        await recordOpening(rendition.documentId, ctx, info);
        return renditionUrl(ctx, rendition, inline ?? false);
      },
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why the file cannot be converted. Null unless FAILED.',
    }),
  }),
});

/** The rendition of a revision; null for files that are not converted. */
const renditionOf = async (
  { id, contentType }: { id: string; contentType: string },
  { load }: GraphContext,
): Promise<Row | null> => (isOffice(contentType) ? load.one(findRenditions, id) : null);

/** The file that pictures of a revision show: its PDF, where it is an office file that has one. */
export async function picturedFile(revision: RevisionRow, ctx: GraphContext): Promise<PicturedFile> {
  const rendition = await renditionOf(revision, ctx);
  const { organizationId, blobId, contentType, pageCount } = revision;
  return { organizationId, blobId, contentType, pageCount, ...(rendition && renditionFile(rendition)) };
}

builder.objectField(Revision, 'rendition', (t) =>
  t.field({
    type: Rendition,
    nullable: true,
    description:
      'The PDF of a file of Word, Excel, PowerPoint or OpenDocument. Null for other files, and for one that came while this server converted none.',
    resolve: (revision, _, ctx) => renditionOf(revision, ctx),
  }),
);

mutation('retryRenditions', {
  scope: 'documents:write',
  description:
    'Makes the PDFs of office documents again that could not be made, and those that were never made; CONFLICT if one is there or due. UNAVAILABLE where this server converts no office files. Requires the role EDITOR in the project.',
  argument: 'The documents.',
  input: documentsInput,
  payload: documentsPayload,
  batch: { items: 'documentIds', empty: { documents: [] } },
  resolve: async (input, ctx) => ({ documents: await retryRenditions(ctx, input) }),
});
