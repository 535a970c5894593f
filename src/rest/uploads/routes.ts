import { badInput } from '../../domain/kernel/errors.ts';
import { ConfirmUploadsDocument, ReserveUploadDocument } from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { documentRecord } from '../documents/record.ts';
import { PROJECT, projectPath } from '../wire/path.ts';
import type { Members } from '../wire/read.ts';
import { type RestRequest, type Route, route } from '../wire/route.ts';

/** The reservation as the client gave it back. Its addresses are not compared: some clients decode them on the way. */
const uploaded = (item: Members, uniqueId: string) => ({
  uploadId: item.text('UniqueId') || uniqueId,
  name: item.required('OriginalFilename'),
  size: item.integer('OriginalFileSize'),
  folderId: item.text('DocumentFolderID') || undefined,
  tags: item.texts('Tags'),
  fieldValues: Object.entries(item.lists('FieldIDsAndValues') ?? {}).map(([fieldId, values]) => ({
    fieldId,
    values,
  })),
});

function confirmed({ query, body }: RestRequest) {
  const uniqueId = query.required('uniqueId');
  const files = body.array().map((item) => uploaded(item, uniqueId));
  if (!files.some(({ uploadId }) => uploadId === uniqueId))
    throw badInput('uniqueId: is not the UniqueId of any of the files.', 'uniqueId');
  return files;
}

export const uploadRoutes: Route[] = [
  route({
    id: 'reserveDocumentUpload',
    method: 'GET',
    path: `${PROJECT}/documentUploads`,
    operation: storedOperation(ReserveUploadDocument),
    in: (request) => ({ input: projectPath(request) }),
    out: ({ reserveUploads }) => {
      const [upload] = reserveUploads.uploads;
      return {
        SignedUrl: upload?.url,
        SignedUrl2: null,
        ObjectName: upload?.objectId,
        ObjectName2: null,
        UniqueId: upload?.id,
        OriginalFilename: '',
        OriginalFilepath: null,
        OriginalFileSize: 0,
        ClassificationID: null,
        FieldIDsAndValues: null,
        DocumentFolderID: null,
        ContentType: null,
        Tags: null,
      };
    },
  }),
  route({
    id: 'confirmDocumentUploads',
    method: 'PUT',
    path: `${PROJECT}/documentUploads`,
    operation: storedOperation(ConfirmUploadsDocument),
    in: (request) => ({ input: { ...projectPath(request), files: confirmed(request) } }),
    out: ({ confirmUploads }) => confirmUploads.documents.map(documentRecord),
  }),
];
