import { badValue } from '../../domain/kernel/errors.ts';
import { ConfirmUploadsDocument, ReserveUploadDocument } from '../../generated/operations/graphql.ts';
import { storedMutation } from '../../graph/http/execute.ts';
import { documentRecord } from '../documents/record.ts';
import { fieldIdsAndValues } from '../fields/values.ts';
import type { Members } from '../wire/members.ts';
import { PROJECT, projectPath } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import { type Route, route } from '../wire/route.ts';

/** An uploaded file, as the client completed its reservation. Its signed URL is ignored: some clients decode it. */
const fileOf = (item: Members, uniqueId: string) => ({
  uploadId: item.text('UniqueId') || uniqueId,
  name: item.required('OriginalFilename'),
  size: item.integer('OriginalFileSize'),
  sha256: item.text('SHA256') || undefined,
  folderId: item.text('DocumentFolderID') || undefined,
  tags: item.texts('Tags'),
  fieldValues: fieldIdsAndValues(item) ?? [],
});

function filesIn({ query, body }: RestRequest) {
  const uniqueId = query.required('uniqueId');
  const files = body.array().map((item) => fileOf(item, uniqueId));
  if (!files.some(({ uploadId }) => uploadId === uniqueId))
    throw badValue('uniqueId', 'is not the UniqueId of any of the files.');
  return files;
}

const UPLOADS = `${PROJECT}/documentUploads`;

export const uploadRoutes: Route[] = [
  route({
    id: 'reserveDocumentUpload',
    method: 'GET',
    path: UPLOADS,
    names: { names: 'originalFilename' },
    operation: storedMutation(ReserveUploadDocument),
    in: (request) => {
      const name = request.query.text('originalFilename');
      return { input: { ...projectPath(request), names: name === undefined ? undefined : [name] } };
    },
    out: ({ reserveUploads }) => {
      const [upload] = reserveUploads.uploads;
      return {
        SignedUrl: upload?.url,
        SignedUrl2: '',
        ObjectName: upload?.objectId,
        ObjectName2: '',
        UniqueId: upload?.id,
        OriginalFilename: '',
        OriginalFilepath: '',
        OriginalFileSize: 0,
        ClassificationID: '',
        FieldIDsAndValues: null,
        DocumentFolderID: '',
        ContentType: '',
        Tags: null,
      };
    },
  }),
  route({
    id: 'confirmDocumentUploads',
    names: {
      files: '',
      uploadId: 'UniqueId',
      name: 'OriginalFilename',
      size: 'OriginalFileSize',
      sha256: 'SHA256',
      folderId: 'DocumentFolderID',
      tags: 'Tags',
      fieldValues: 'FieldIDsAndValues{}',
    },
    method: 'PUT',
    path: UPLOADS,
    operation: storedMutation(ConfirmUploadsDocument),
    in: (request) => ({ input: { ...projectPath(request), files: filesIn(request) } }),
    out: ({ confirmUploads }) => confirmUploads.documents.map(documentRecord),
  }),
];
