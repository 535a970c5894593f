import { badValue } from '../../domain/kernel/errors.ts';
import { ConfirmUploadsDocument, ReserveUploadDocument } from '../../generated/operations/graphql.ts';
import { storedMutation } from '../../graph/http/execute.ts';
import { documentRecord } from '../documents/record.ts';
import { PROJECT, projectPath } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import { type Route, route } from '../wire/route.ts';
import { uploadedFile } from './input.ts';
import { uploadRecord } from './record.ts';

function filesIn({ query, body }: RestRequest) {
  const uniqueId = query.required('uniqueId');
  const files = body.array().map((item) => {
    const file = uploadedFile(item);
    return { ...file, uploadId: file.uploadId ?? uniqueId };
  });
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
    out: ({ reserveUploads }) => reserveUploads.uploads.map(uploadRecord)[0],
  }),
  route({
    id: 'confirmDocumentUploads',
    names: { files: '', ...uploadedFile.names },
    method: 'PUT',
    path: UPLOADS,
    operation: storedMutation(ConfirmUploadsDocument),
    in: (request) => ({ input: { ...projectPath(request), files: filesIn(request) } }),
    out: ({ confirmUploads }) => confirmUploads.documents.map(documentRecord),
  }),
];
