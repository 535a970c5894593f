import type { ReserveUploadMutation } from '../../generated/operations/graphql.ts';
import { integer, member, nullable, record, string } from '../shape/record.ts';

type Upload = NonNullable<ReserveUploadMutation['reserveUploads']>['uploads'][number];

/** Members of the confirmation are empty, for the client to fill in. */
export const uploadRecord = record<Upload>(
  'DocumentUpload',
  'A reservation for a file.',
  {
    SignedUrl: string(
      (upload) => upload.url,
      'The URL to upload the file to. It needs no credential and expires after a short time.',
      'https://docgraph.example/uploads/upl_01k9…',
    ),
    SignedUrl2: nullable(string(() => '', 'Not used; send it back unchanged.')),
    ObjectName: string(
      (upload) => upload.objectId,
      'The name of the stored object; send it back unchanged.',
      'blb_01k9…',
    ),
    ObjectName2: nullable(string(() => '', 'Not used; send it back unchanged.')),
    UniqueId: string(
      (upload) => upload.id,
      'The id of the reservation; required in the query of the confirmation.',
      'upl_01k9bfk42567zmc97h9bx4cqyj',
    ),
    OriginalFilename: string(() => '', 'The name of the file; empty until the client sets it.'),
    OriginalFilepath: nullable(string(() => '', 'The path of the file on the client; not stored.')),
    OriginalFileSize: integer(() => 0, 'The size in bytes; 0 until the client sets it.'),
    ClassificationID: nullable(string(() => '')),
    FieldIDsAndValues: nullable(member('{string[]}', () => null)),
    DocumentFolderID: nullable(string(() => '')),
    ContentType: nullable(string(() => '')),
    Tags: nullable(member('string[]', () => null)),
  },
  {
    SignedUrl2: '',
    ObjectName2: '',
    OriginalFilepath: '',
    ClassificationID: '',
    FieldIDsAndValues: null,
    DocumentFolderID: '',
    ContentType: '',
    Tags: null,
  },
);
