import {
  ConsoleAddProjectMembersDocument,
  ConsoleProjectPeopleDocument,
  ConsoleRemoveProjectGroupsDocument,
  ConsoleRemoveProjectInvitationsDocument,
  ConsoleRemoveProjectMembersDocument,
  ConsoleUpdateProjectGroupDocument,
  ConsoleUpdateProjectMemberDocument,
  type ProjectRole,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError, fieldError } from '../ui/form-error.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import { projectHref, visibleProject } from '../ui/project-tabs.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { type Entered, ProjectPeopleView } from './people-view.tsx';

const PROJECT = storedOperation(ConsoleProjectPeopleDocument);
const ADD = storedMutation(ConsoleAddProjectMembersDocument);
const UPDATE = storedMutation(ConsoleUpdateProjectMemberDocument);
const REMOVE = storedMutation(ConsoleRemoveProjectMembersDocument);
const UPDATE_GROUP = storedMutation(ConsoleUpdateProjectGroupDocument);
const REMOVE_GROUPS = storedMutation(ConsoleRemoveProjectGroupsDocument);
const REMOVE_INVITATION = storedMutation(ConsoleRemoveProjectInvitationsDocument);

/** `projects/PROJECT/people`: who takes part. */
export function projectPeoplePages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/projects/:project/people`;
  pages.get(path, (visit) => showPeople(visit));
  pages.post(`${path}/add`, addMember);
  pages.post(`${path}/members`, changeMember);
  pages.post(`${path}/groups`, changeGroup);
  pages.post(`${path}/invitations`, removeInvitation);
}

/** What was just done, by the query of the page. */
const DONE: Record<string, string> = {
  added: 'The person was added.',
  changed: 'The role was changed.',
  removed: 'The person was removed.',
  groupAdded: 'The group was added: its members are in the project.',
  groupRemoved: 'The group was removed.',
};

const pathOf = (visit: Visit): string => `${sectionHref(visit, 'projects')}/${visit.param('project')}/people`;

async function showPeople(visit: Visit, error?: FormError, entered?: Entered): Promise<Response> {
  const id = visit.param('organization');
  const after = visit.query('after');
  const data = await visit.run(PROJECT, { id, projectId: visit.param('project'), after });
  const organization = visible(data.organization);
  const project = visibleProject(data.project, id);
  const path = projectHref(project, 'people');
  return consolePage({
    visit,
    title: 'People',
    organization,
    project,
    done: DONE[visit.query('done') ?? ''],
    error,
    children: ProjectPeopleView({
      visit,
      path,
      project,
      groups: organization.groups.nodes,
      after,
      error,
      entered,
    }),
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
      await run(visit.param('project'));
      return seeOther(`${pathOf(visit)}?done=${done}`);
    },
    (error) => showPeople(visit, error, entered),
  );

async function addMember(visit: Visit, form: URLSearchParams): Promise<Response> {
  const entered = { email: (form.get('email') ?? '').trim(), role: form.get('role') ?? '' };
  if (!entered.email) return showPeople(visit, fieldError('email', 'Enter an e-mail address.'), entered);
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

function changeGroup(visit: Visit, form: URLSearchParams): Promise<Response> {
  const groupId = form.get('group') ?? '';
  const role = form.get('role') as ProjectRole;
  if (form.get('do') === 'add')
    return change(visit, 'groupAdded', (projectId) =>
      visit.run(ADD, {
        input: { projectId, groups: [{ groupId, role: form.get('groupRole') as ProjectRole }] },
      }),
    );
  if (form.get('do') === 'remove')
    return change(visit, 'groupRemoved', (projectId) =>
      visit.run(REMOVE_GROUPS, { input: { projectId, groupIds: [groupId] } }),
    );
  return change(visit, 'changed', (projectId) =>
    visit.run(UPDATE_GROUP, { input: { projectId, groupId, role } }),
  );
}

const removeInvitation = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  change(visit, 'removed', (projectId) =>
    visit.run(REMOVE_INVITATION, {
      input: { projectId, projectInvitationIds: [form.get('invitation') ?? ''] },
    }),
  );
