import { notFound } from '../../../domain/kernel/errors.ts';
import {
  ConsoleMemberDocument,
  ConsoleRemoveMembersDocument,
  ConsoleUpdateMemberDocument,
  type OrganizationRole,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError, fieldError } from '../ui/form-error.ts';
import { consolePage } from '../ui/frame.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { MemberView } from './member-view.tsx';
import { type EnteredSubstitute, substituteOptions } from './substitute.ts';
import { changeSubstitute } from './substitute-change.ts';

const MEMBER = storedOperation(ConsoleMemberDocument);
const UPDATE = storedMutation(ConsoleUpdateMemberDocument);
const REMOVE = storedMutation(ConsoleRemoveMembersDocument);

/** `people/MEMBER`: the role of a member, their substitute, and their removal. */
export function memberPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/people/:member`;
  pages.get(path, (visit) => showMember(visit));
  pages.post(`${path}/role`, changeRole);
  pages.post(`${path}/remove`, remove);
  pages.post(`${path}/substitute`, (visit, form) => changeSubstitute(visit, form, showMember));
}

const listOf = (visit: Visit): string => sectionHref(visit, 'people');

/** What was just done, by the query of the page. */
const DONE: Record<string, string> = {
  substituteSet: 'The substitute was set.',
  substituteEnded: 'There is no substitute any more.',
};

async function showMember(visit: Visit, error?: FormError, entered?: EnteredSubstitute): Promise<Response> {
  const id = visit.param('organization');
  const { organization, node, viewer } = await visit.run(MEMBER, { id, memberId: visit.param('member') });
  if (!organization || node?.__typename !== 'OrganizationMember' || node.organizationId !== id)
    throw notFound('Member');
  return consolePage({
    visit,
    title: node.user.name,
    organization,
    crumbs: [{ href: listOf(visit), text: 'People' }],
    done: DONE[visit.query('done') ?? ''],
    error,
    children: MemberView({
      ...{ visit, organization, member: node, error, timeZone: viewer.timeZone },
      substitute: await substituteOptions(visit, organization, node, entered),
    }),
  });
}

const changeRole = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  attempt(
    async () => {
      const role = form.get('role') as OrganizationRole;
      const input = { organizationId: visit.param('organization'), memberId: visit.param('member'), role };
      await visit.run(UPDATE, { input });
      return seeOther(`${listOf(visit)}?done=changed`);
    },
    (error) => showMember(visit, error),
  );

async function remove(visit: Visit, form: URLSearchParams): Promise<Response> {
  if (form.get('confirm') !== 'yes')
    return showMember(visit, fieldError('confirm', 'Check the box to remove the member.'));
  return attempt(
    async () => {
      const memberIds = [visit.param('member')];
      await visit.run(REMOVE, { input: { organizationId: visit.param('organization'), memberIds } });
      return seeOther(`${listOf(visit)}?done=removed`);
    },
    (error) => showMember(visit, error),
  );
}
