import { ConsoleCreateGroupsDocument, ConsoleGroupsDocument } from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError } from '../ui/form-error.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { GroupsView } from './view.tsx';

const GROUPS = storedOperation(ConsoleGroupsDocument);
const CREATE = storedMutation(ConsoleCreateGroupsDocument);

/** `groups` of an organization. */
export function groupListPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/groups`;
  pages.get(path, (visit) => showGroups(visit));
  pages.post(path, create);
}

async function showGroups(visit: Visit, error?: FormError, entered?: string): Promise<Response> {
  const after = visit.query('after');
  const organization = visible(
    (await visit.run(GROUPS, { id: visit.param('organization'), after })).organization,
  );
  return consolePage({
    visit,
    title: 'Groups',
    organization,
    done: visit.query('done') === 'deleted' ? 'The group was deleted.' : undefined,
    error,
    children: GroupsView({ visit, organization, after, error, entered }),
  });
}

const create = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  attempt(
    async () => {
      const input = {
        organizationId: visit.param('organization'),
        groups: [{ name: form.get('name') ?? '' }],
      };
      const { createGroups } = await visit.run(CREATE, { input });
      return seeOther(`${sectionHref(visit, 'groups')}/${createGroups.groups[0]?.id}`);
    },
    (error) => showGroups(visit, error, form.get('name') ?? ''),
  );
