import {
  ConsoleCreateFoldersDocument,
  ConsoleProjectFilesDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError, fieldError } from '../ui/form-error.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import { mayEdit, visibleProject } from '../ui/project-tabs.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { UPLOAD_POLICY, UploadView } from '../upload/upload-view.tsx';
import { EntriesView, RecycleBinLink } from './entries-view.tsx';
import { type EnteredNames, NEW_FOLDER, NewFolderForm } from './folder-forms.tsx';
import { listQueryOf, listVariables } from './list-query.ts';

const FILES = storedOperation(ConsoleProjectFilesDocument);
const CREATE_FOLDERS = storedMutation(ConsoleCreateFoldersDocument);

/** `projects/PROJECT`: the folders and documents at the root of a project. */
export function projectFilePages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/projects/:project`;
  pages.get(path, (visit) => showFiles(visit));
  pages.post(`${path}/folders`, (visit, form) => createFolder(visit, form, showFiles));
}

/** What was just done, by the query of the page. */
export const DONE: Record<string, string> = {
  folder: 'The folder was created.',
  renamed: 'The folder was renamed.',
  deleted: 'The folder was deleted.',
  recycled: 'The document is in the recycle bin.',
  uploaded: 'The files were uploaded.',
};

/** The path of the page of the project. */
export const rootOf = (visit: Visit): string => `${sectionHref(visit, 'projects')}/${visit.param('project')}`;

/** Shows a page again, with what was typed. */
export type ShowAgain = (visit: Visit, error?: FormError, entered?: EnteredNames) => Promise<Response>;

async function showFiles(visit: Visit, error?: FormError, entered?: EnteredNames): Promise<Response> {
  const id = visit.param('organization');
  const query = listQueryOf(visit);
  const data = await visit.run(FILES, { id, projectId: visit.param('project'), ...listVariables(query) });
  const organization = visible(data.organization);
  const project = visibleProject(data.project, id);
  const path = rootOf(visit);
  return consolePage({
    visit,
    title: project.name,
    organization,
    project,
    done: DONE[visit.query('done') ?? ''],
    error,
    policy: UPLOAD_POLICY,
    children: [
      mayEdit(project) && UploadView({ projectId: project.id, target: `${path}?done=uploaded` }),
      EntriesView({ ...project, project, path, query }),
      RecycleBinLink({ path }),
      mayEdit(project) && NewFolderForm({ path, formToken: visit.formToken, error, entered }),
    ],
  });
}

/** Creates a folder at the root, or in the folder of the page. */
export async function createFolder(
  visit: Visit,
  form: URLSearchParams,
  showAgain: ShowAgain,
  parentId?: string,
): Promise<Response> {
  const name = (form.get(NEW_FOLDER) ?? '').trim();
  const entered = { newFolder: name };
  if (!name) return showAgain(visit, fieldError(NEW_FOLDER, 'Enter a name.'), entered);
  return attempt(
    async () => {
      const { param } = visit;
      const input = {
        organizationId: param('organization'),
        projectId: param('project'),
        folders: [{ name, parentId }],
      };
      const { createFolders } = await visit.run(CREATE_FOLDERS, { input });
      return seeOther(`${rootOf(visit)}/folders/${createFolders.folders[0]?.id}?done=folder`);
    },
    (error) =>
      showAgain(
        visit,
        error.at === 'name' ? { ...error, at: NEW_FOLDER } : { ...error, at: undefined },
        entered,
      ),
  );
}
