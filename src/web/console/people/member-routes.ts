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

const MEMBER = storedOperation(ConsoleMemberDocument);
const UPDATE = storedMutation(ConsoleUpdateMemberDocument);
const REMOVE = storedMutation(ConsoleRemoveMembersDocument);

/** `people/MEMBER`: the role of a member, and their removal. */
export function memberPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/people/:member`;
  pages.get(path, (visit) => showMember(visit));
  pages.post(`${path}/role`, changeRole);
  pages.post(`${path}/remove`, remove);
}

const listOf = (visit: Visit): string => sectionHref(visit, 'people');

async function showMember(visit: Visit, error?: FormError): Promise<Response> {
  const id = visit.param('organization');
  const { organization, node } = await visit.run(MEMBER, { id, memberId: visit.param('member') });
  if (!organization || node?.__typename !== 'OrganizationMember' || node.organizationId !== id)
    throw notFound('Member');
  return consolePage({
    visit,
    title: node.user.name,
    organization,
    crumbs: [{ href: listOf(visit), text: 'People' }],
    error,
    children: MemberView({ visit, organization, member: node, error }),
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
