import { badValue } from '../../domain/kernel/errors.ts';
import {
  FollowDocumentsDocument,
  GetDocumentPackageDocument,
  ListFieldsDocument,
  UnfollowDocumentsDocument,
  UpdateDocumentDocument,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { allPages, type Execute, sequence } from '../wire/operations.ts';
import { PROJECT, projectPath, requireInProject, requireProject } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import type { Route } from '../wire/route.ts';
import { packageChange } from './input.ts';
import { packageRecord } from './record.ts';

const PACKAGE = `${PROJECT}/documentPackages/:documentId`;

const GET = storedOperation(GetDocumentPackageDocument);
const UPDATE = storedMutation(UpdateDocumentDocument);
const FOLLOW = storedMutation(FollowDocumentsDocument);
const UNFOLLOW = storedMutation(UnfollowDocumentsDocument);

const FIELDS = allPages({
  operation: storedOperation(ListFieldsDocument),
  in: (request) => ({ projectId: projectPath(request).projectId }),
  list: ({ project }, request) => requireProject(project, request).fields,
  out: (fields) => fields,
});

type PackageChange = ReturnType<typeof packageChange>;

const documentIdIn = ({ path }: RestRequest) => path.documentId as string;

async function readPackage(request: RestRequest, execute: Execute) {
  const { viewer, document } = await execute(GET, { documentId: documentIdIn(request) });
  const own = requireInProject(document, request, 'Document');
  const fields = await FIELDS.run(request, execute);
  return packageRecord({ viewer: viewer.user, document: own, fields });
}

/** What of a package can change: name and assignments of the document, and values of fields. */
function changeIn(request: RestRequest, { document, fieldValues }: PackageChange) {
  const documentId = documentIdIn(request);
  if (document?.id && document.id !== documentId)
    throw badValue('Document.ID', 'differs from the path.', { separator: ' ' });
  return {
    ...projectPath(request),
    documentId,
    name: document?.name,
    assigneeEmails: document?.assigneeEmails,
    fieldValues,
  };
}

/** Follows the document, or ends that; nothing for undefined. */
async function follow(
  request: RestRequest,
  execute: Execute,
  subscribed: boolean | undefined,
): Promise<void> {
  const input = { ...projectPath(request), documentIds: [documentIdIn(request)] };
  if (subscribed === true) await execute(FOLLOW, { input });
  if (subscribed === false) await execute(UNFOLLOW, { input });
}

export const documentPackageRoutes: Route[] = [
  {
    id: 'getDocumentPackage',
    method: 'GET',
    path: PACKAGE,
    operations: sequence([GET, FIELDS], readPackage),
  },
  {
    id: 'saveDocumentPackage',
    names: { documentIds: 'documentId', ...packageChange.names },
    method: 'PUT',
    path: PACKAGE,
    operations: sequence([UPDATE, FOLLOW, UNFOLLOW, GET, FIELDS], async (request, execute) => {
      const change = packageChange(request.body.object());
      await execute(UPDATE, { input: changeIn(request, change) });
      await follow(request, execute, change.subscription?.subscribed);
      return readPackage(request, execute);
    }),
  },
];
