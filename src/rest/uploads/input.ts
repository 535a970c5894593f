import { fieldValues } from '../fields/values.ts';
import { input } from '../shape/input.ts';
import { filledText, integer, mapped, requiredText, texts } from '../shape/input-member.ts';

/** An uploaded file, as the client completed its reservation. Its signed URL is ignored: some clients decode it. */
export const uploadedFile = input(
  'UploadedFile',
  'A reservation whose file has been uploaded, with the properties of the new document. The reservation may be sent back as it was received.',
  {
    uploadId: filledText('UniqueId', 'The id of the reservation; by default the one in the query.'),
    name: requiredText('OriginalFilename', 'The name of the file, which becomes the name of the document.'),
    size: integer(
      'OriginalFileSize',
      'The size in bytes; if sent, it must equal the size of the uploaded file.',
    ),
    sha256: filledText(
      'SHA256',
      'The SHA-256 of the file as 64 hexadecimal digits; if sent, it must equal that of the uploaded file.',
    ),
    folderId: filledText('DocumentFolderID'),
    fieldValues: mapped(fieldValues(), (values) => values ?? []),
    tags: texts('Tags'),
  },
  {
    besides: { SignedUrl: 'string Accepted and ignored.', ObjectName: 'string Accepted and ignored.' },
    example: {
      UniqueId: 'upl_01k9w53q7pzjx2dgxd2bxeqqh3',
      OriginalFilename: 'permit-44.pdf',
      OriginalFileSize: 48213,
      Tags: ['permit'],
    },
  },
);
