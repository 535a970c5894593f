import { notFound } from '../../../domain/kernel/errors.ts';
import {
  ConsoleAddProjectMembersDocument,
  ConsoleProjectDocument,
  ConsoleRemoveProjectInvitationsDocument,
  ConsoleRemoveProjectMembersDocument,
  ConsoleUpdateProjectMemberDocument,
  type ProjectRole,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError, fieldError } from '../ui/form-error.ts';
import { consolePage } from '../ui/frame.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { type Entered, ProjectView } from './project-view.tsx';

const PROJECT = storedOperation(ConsoleProjectDocument);
const ADD = storedMutation(ConsoleAddProjectMembersDocument);
const UPDATE = storedMutation(ConsoleUpdateProjectMemberDocument);
const REMOVE = storedMutation(ConsoleRemoveProjectMembersDocument);
const REMOVE_INVITATION = storedMutation(ConsoleRemoveProjectInvitationsDocument);

/** `projects/PROJECT`: who takes part. */
export function projectPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/projects/:project`;
  pages.get(path, (visit) => showProject(visit));
  pages.post(`${path}/add`, addMember);
  pages.post(`${path}/members`, changeMember);
  pages.post(`${path}/invitations`, removeInvitation);
}

/** What was just done, by the query of the page. */
const DONE: Record<string, string> = {
  added: 'The person was added.',
  changed: 'The role was changed.',
  removed: 'The person was removed.',
};

const listOf = (visit: Visit): string => sectionHref(visit, 'projects');

async function showProject(visit: Visit, error?: FormError, entered?: Entered): Promise<Response> {
  const id = visit.param('organization');
  const after = visit.query('after');
  const { organization, project } = await visit.run(PROJECT, {
    id,
    projectId: visit.param('project'),
    after,
  });
  if (!organization || !project || project.organizationId !== id) throw notFound('Project');
  return consolePage({
    visit,
    title: project.name,
    organization,
    crumbs: [{ href: listOf(visit), text: 'Projects' }],
    done: DONE[visit.query('done') ?? ''],
    error,
    children: ProjectView({ visit, path: `${listOf(visit)}/${project.id}`, project, after, error, entered }),
  });
}

/** Runs a change, and returns to the page of the project. */
const change = (
  visit: Visit,
  done: string,
  run: (projectId: string) => Promise<unknown>,
  entered?: Entered,
): Promise<Response> =>
  attempt(
    async () => {
      const projectId = visit.param('project');
      await run(projectId);
      return seeOther(`${listOf(visit)}/${projectId}?done=${done}`);
    },
    (error) => showProject(visit, error, entered),
  );

async function addMember(visit: Visit, form: URLSearchParams): Promise<Response> {
  const entered = { email: (form.get('email') ?? '').trim(), role: form.get('role') ?? '' };
  if (!entered.email) return showProject(visit, fieldError('email', 'Enter an e-mail address.'), entered);
  const members = [{ person: { email: entered.email }, role: entered.role as ProjectRole }];
  return change(visit, 'added', (projectId) => visit.run(ADD, { input: { projectId, members } }), entered);
}

async function changeMember(visit: Visit, form: URLSearchParams): Promise<Response> {
  const memberId = form.get('member') ?? '';
  if (form.get('do') === 'remove')
    return change(visit, 'removed', (projectId) =>
      visit.run(REMOVE, { input: { projectId, memberIds: [memberId] } }),
    );
  const role = form.get('role') as ProjectRole;
  return change(visit, 'changed', (projectId) => visit.run(UPDATE, { input: { projectId, memberId, role } }));
}

const removeInvitation = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  change(visit, 'removed', (projectId) =>
    visit.run(REMOVE_INVITATION, {
      input: { projectId, projectInvitationIds: [form.get('invitation') ?? ''] },
    }),
  );
