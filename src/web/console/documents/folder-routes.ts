import { notFound } from '../../../domain/kernel/errors.ts';
import {
  ConsoleDeleteFoldersDocument,
  ConsoleFolderFilesDocument,
  type ConsoleFolderFilesQuery,
  ConsoleUpdateFolderDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError, fieldError } from '../ui/form-error.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import { mayEdit, visibleProject } from '../ui/project-tabs.tsx';
import type { ConsolePages, Visit } from '../ui/visit.ts';
import { UPLOAD_POLICY, UploadView } from '../upload/upload-view.tsx';
import { EntriesView } from './entries-view.tsx';
import { DeleteFolderForm, type EnteredNames, NewFolderForm, RenameFolderForm } from './folder-forms.tsx';
import { crumbsAbove, mayDelete } from './hrefs.ts';
import { listQueryOf, listVariables } from './list-query.ts';
import { createFolder, DONE, rootOf } from './routes.ts';

const FILES = storedOperation(ConsoleFolderFilesDocument);
const UPDATE = storedMutation(ConsoleUpdateFolderDocument);
const DELETE = storedMutation(ConsoleDeleteFoldersDocument);

/** `projects/PROJECT/folders/FOLDER`: the folders and documents in a folder. */
export function folderPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/projects/:project/folders/:folder`;
  pages.get(path, (visit) => showFolder(visit));
  pages.post(path, rename);
  pages.post(`${path}/folders`, (visit, form) =>
    createFolder(visit, form, showFolder, visit.param('folder')),
  );
  pages.post(`${path}/delete`, remove);
}

const pathOf = (visit: Visit): string => `${rootOf(visit)}/folders/${visit.param('folder')}`;

type Folder = NonNullable<ConsoleFolderFilesQuery['folder']>;

async function readFolder(visit: Visit) {
  const id = visit.param('organization');
  const variables = { id, folderId: visit.param('folder'), ...listVariables(listQueryOf(visit)) };
  const { organization, folder } = await visit.run(FILES, variables);
  if (folder?.project.id !== visit.param('project')) throw notFound('Folder');
  return { organization: visible(organization), project: visibleProject(folder.project, id), folder };
}

async function showFolder(visit: Visit, error?: FormError, entered?: EnteredNames): Promise<Response> {
  const { organization, project, folder } = await readFolder(visit);
  return consolePage({
    visit,
    title: folder.name,
    organization,
    project,
    crumbs: crumbsAbove(project, folder),
    done: DONE[visit.query('done') ?? ''],
    error,
    policy: UPLOAD_POLICY,
    children: [
      mayEdit(project) && uploadInto(visit, folder),
      EntriesView({ ...folder, path: pathOf(visit), query: listQueryOf(visit) }),
      ...formsOf(visit, folder, error, entered),
    ],
  });
}

const uploadInto = (visit: Visit, { id, project }: Folder) =>
  UploadView({ projectId: project.id, folderId: id, target: `${pathOf(visit)}?done=uploaded` });

function formsOf(visit: Visit, folder: Folder, error?: FormError, entered?: EnteredNames) {
  const props = { path: pathOf(visit), formToken: visit.formToken, folder, error, entered };
  return [
    mayEdit(folder.project) && NewFolderForm(props),
    mayEdit(folder.project) && RenameFolderForm(props),
    mayDelete(folder.project) && DeleteFolderForm(props),
  ];
}

async function rename(visit: Visit, form: URLSearchParams): Promise<Response> {
  const name = (form.get('name') ?? '').trim();
  if (!name) return showFolder(visit, fieldError('name', 'Enter a name.'), { name });
  return attempt(
    async () => {
      const { folder } = await readFolder(visit);
      const input = { folderId: folder.id, name, expectedVersion: Number(form.get('version')) };
      await visit.run(UPDATE, { input });
      return seeOther(`${pathOf(visit)}?done=renamed`);
    },
    (error) => showFolder(visit, error, { name }),
  );
}

async function remove(visit: Visit, form: URLSearchParams): Promise<Response> {
  if (form.get('confirm') !== 'yes')
    return showFolder(visit, fieldError('confirm', 'Check the box to delete the folder.'));
  return attempt(
    async () => {
      const { folder, project } = await readFolder(visit);
      await visit.run(DELETE, { input: { projectId: project.id, folderIds: [folder.id] } });
      const parent = folder.ancestorIds.at(-1);
      return seeOther(`${rootOf(visit)}${parent ? `/folders/${parent}` : ''}?done=deleted`);
    },
    ({ at, ...error }) => showFolder(visit, at === 'folderIds' ? error : { ...error, at }),
  );
}
