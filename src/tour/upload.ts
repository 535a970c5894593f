import { createHash, randomBytes } from 'node:crypto';
import { type Step, type Tour, waitFor } from './tour.ts';

const PIECE = 5 * 2 ** 20;
const SIZE = 12_000_000;

/** Confirms an upload that the store has received. Returns the id of the document. */
async function confirm(tour: Tour, uniqueId: string, name: string, size: number): Promise<string> {
  const file = { UniqueId: uniqueId, OriginalFilename: name, OriginalFileSize: size };
  const [document] = await tour.rest('PUT', `documentUploads?uniqueId=${uniqueId}`, [file]);
  return document.ID;
}

async function inPieces(tour: Tour, file: Uint8Array<ArrayBuffer>): Promise<string> {
  const { UniqueId, SignedUrl } = await tour.rest('GET', 'documentUploads');
  const begin = { method: 'PUT', headers: { 'x-goog-resumable': 'start' }, anonymous: true };
  const session = (await tour.send(SignedUrl, begin)).headers.get('location') ?? '';
  for (let at = 0; at < file.length; at += PIECE) {
    const piece = file.slice(at, at + PIECE);
    const range = `bytes ${at}-${at + piece.length - 1}/${file.length}`;
    const status = at + PIECE < file.length ? 308 : 200;
    const put = { method: 'PUT', headers: { 'content-range': range }, body: piece, anonymous: true, status };
    await tour.send(session, put);
    tour.note(`PUT … Content-Range: ${range}`, String(status));
  }
  return confirm(tour, UniqueId, 'survey.bin', file.length);
}

/** Another revision of a PDF of the demo as a document of its own, sent in one request. */
async function atOnce(tour: Tour): Promise<string> {
  const { project } = await tour.graph(
    'query ($project: ID!) { project(id: $project) { documents(first: 1, filter: { namePrefix: "Building contract" }) { nodes { name downloadUrl } } } }',
    { project: tour.demo.projectId },
  );
  const [{ downloadUrl }] = project.documents.nodes;
  const pdf = new Uint8Array(await (await tour.send(downloadUrl, { anonymous: true })).arrayBuffer());
  const { UniqueId, SignedUrl } = await tour.rest('GET', 'documentUploads');
  await tour.send(SignedUrl, { method: 'PUT', body: pdf, anonymous: true });
  tour.note(`PUT … ${pdf.length} bytes`, '200');
  return confirm(tour, UniqueId, 'paper.pdf', pdf.length);
}

const BACK = `query ($organization: ID!, $id: ID!) {
  organization(id: $organization) { name }
  document(id: $id) { name size contentType folder { path } revisions(first: 2) { nodes { number sha256 } } comments(first: 2) { nodes { text } } downloadUrl }
}`;

export const UPLOAD: Step = {
  title: 'Upload over REST v1 in pieces, and read back in the graph',
  async run(tour) {
    const file = new Uint8Array(randomBytes(SIZE));
    const id = await inPieces(tour, file);
    await tour.graph(
      'mutation ($id: ID!) { createComments(input: { documentId: $id, texts: ["Please check page 2."] }) { comments { id } } }',
      { id },
    );
    const { document } = await tour.graph(BACK, { organization: tour.demo.organizationId, id });
    const bytes = await (await tour.send(document.downloadUrl, { anonymous: true })).arrayBuffer();
    const sha256 = createHash('sha256').update(file).digest('hex');
    tour.require(
      Buffer.from(bytes).equals(file),
      `the ${SIZE} bytes of the signed download URL are identical`,
    );
    tour.require(document.revisions.nodes[0].sha256 === sha256, 'the revision has the SHA-256 of the file');
    tour.require(document.comments.nodes.length === 1, 'the document has its comment');
  },
};

export const PDF: Step = {
  title: 'A PDF in one request; its text is extracted in the background',
  async run(tour) {
    tour.documentId = await atOnce(tour);
    const query = 'query ($id: ID!) { document(id: $id) { name pageCount textStatus thumbnailUrl } }';
    const document = await waitFor(async () => {
      const answer = await tour.graph(query, { id: tour.documentId });
      return answer.document.textStatus !== 'PENDING' && answer.document;
    });
    tour.require(document?.pageCount > 0, `it has ${document?.pageCount} pages`);
    tour.require(document.textStatus === 'READY', 'its text can be searched');
  },
};
