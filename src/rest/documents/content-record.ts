import { integer, record, string } from '../shape/record.ts';

/** A file to download; null or absent for none. */
interface Content {
  url?: string | null;
  contentType?: string | null;
  name?: string | null;
  pageCount?: number | null;
  pageIndex?: number;
}

export const contentRecord = record<Content>(
  'DocumentContentPackage',
  'Where to download a file.',
  {
    Url: string(
      (content) => content.url,
      'The URL to download the file from. It needs no credential and expires after a short time.',
      'https://docgraph.example/files/…',
    ),
    ContentType: string((content) => content.contentType),
    Name: string((content) => content.name),
    PageIndex: integer((content) => content.pageIndex),
    PageCount: integer((content) => content.pageCount),
  },
  { Name: 'permit-44.pdf' },
);

export const evidenceRecord = record<{ id: string; name: string; evidence: string }>(
  'DocumentEvidence',
  'The evidence of how a document was signed.',
  {
    DocumentID: string((document) => document.id),
    Name: string((document) => `${document.name}.evidence.json`),
    ContentType: string(() => 'application/json'),
    Content: string((document) => document.evidence, 'The content of the file as text.'),
  },
  { Name: 'permit-44.pdf.evidence.json', ContentType: 'application/json', Content: '{}' },
);
