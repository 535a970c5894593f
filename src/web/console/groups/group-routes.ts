import { notFound } from '../../../domain/kernel/errors.ts';
import {
  ConsoleAddGroupMembersDocument,
  ConsoleDeleteGroupsDocument,
  ConsoleGroupCandidatesDocument,
  ConsoleGroupDocument,
  ConsoleRemoveGroupMembersDocument,
  ConsoleUpdateGroupDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { memberFilter } from '../people/member-search.ts';
import { attempt, type FormError, fieldError } from '../ui/form-error.ts';
import { consolePage, isManager } from '../ui/frame.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { GroupView } from './group-view.tsx';

const GROUP = storedOperation(ConsoleGroupDocument);
const CANDIDATES = storedOperation(ConsoleGroupCandidatesDocument);
const UPDATE = storedMutation(ConsoleUpdateGroupDocument);
const DELETE = storedMutation(ConsoleDeleteGroupsDocument);
const ADD = storedMutation(ConsoleAddGroupMembersDocument);
const REMOVE = storedMutation(ConsoleRemoveGroupMembersDocument);

/** `groups/GROUP`: the members of a group, its name, and its deletion. */
export function groupPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/groups/:group`;
  pages.get(path, (visit) => showGroup(visit));
  pages.post(`${path}/name`, rename);
  pages.post(`${path}/members`, changeMembers);
  pages.post(`${path}/delete`, remove);
}

const DONE: Record<string, string> = {
  renamed: 'The name was changed.',
  added: 'The member is in the group.',
  removed: 'The member is no longer in the group.',
};

const listOf = (visit: Visit): string => sectionHref(visit, 'groups');
const pathOf = (visit: Visit): string => `${listOf(visit)}/${visit.param('group')}`;

async function showGroup(visit: Visit, error?: FormError): Promise<Response> {
  const id = visit.param('organization');
  const after = visit.query('after');
  const { organization, node } = await visit.run(GROUP, { id, groupId: visit.param('group'), after });
  if (!organization || node?.__typename !== 'Group' || node.organizationId !== id) throw notFound('Group');
  const search = visit.query('search')?.trim() ?? '';
  const candidates = search && isManager(organization) ? await candidatesOf(visit, search) : undefined;
  return consolePage({
    visit,
    title: node.name,
    organization,
    crumbs: [{ href: listOf(visit), text: 'Groups' }],
    done: DONE[visit.query('done') ?? ''],
    error,
    children: GroupView({ visit, organization, group: node, after, search, candidates, error }),
  });
}

/** The members of the organization whose name or address begins so. */
async function candidatesOf(visit: Visit, search: string) {
  const variables = { id: visit.param('organization'), filter: memberFilter(search) };
  return (await visit.run(CANDIDATES, variables)).organization?.members;
}

/** Which group of which organization a form is about. */
const target = (visit: Visit) => ({
  organizationId: visit.param('organization'),
  groupId: visit.param('group'),
});

const rename = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  attempt(
    async () => {
      const expectedVersion = Number(form.get('version')) || null;
      await visit.run(UPDATE, {
        input: { ...target(visit), name: form.get('name') ?? '', expectedVersion },
      });
      return seeOther(`${pathOf(visit)}?done=renamed`);
    },
    (error) => showGroup(visit, error),
  );

const changeMembers = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  attempt(
    async () => {
      const input = { ...target(visit), memberIds: [form.get('member') ?? ''] };
      const removes = form.get('do') === 'remove';
      await (removes ? visit.run(REMOVE, { input }) : visit.run(ADD, { input }));
      return seeOther(`${pathOf(visit)}?done=${removes ? 'removed' : 'added'}`);
    },
    (error) => showGroup(visit, error),
  );

async function remove(visit: Visit, form: URLSearchParams): Promise<Response> {
  if (form.get('confirm') !== 'yes')
    return showGroup(visit, fieldError('confirm', 'Check the box to delete the group.'));
  return attempt(
    async () => {
      const input = { organizationId: visit.param('organization'), groupIds: [visit.param('group')] };
      await visit.run(DELETE, { input });
      return seeOther(`${listOf(visit)}?done=deleted`);
    },
    (error) => showGroup(visit, error),
  );
}
