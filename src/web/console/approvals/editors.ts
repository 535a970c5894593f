import {
  ConsoleEditorsDocument,
  type ConsoleEditorsQuery,
  type ConsolePersonFragment,
} from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import { memberFilter } from '../people/member-search.ts';
import { MAX_OFFERED, type Offer, offerOf } from '../ui/people-offer.ts';
import type { Visit } from '../ui/visit.ts';

const EDITORS = storedOperation(ConsoleEditorsDocument);

/**
 * The people who may approve in a project: all of them if they are few, else those whose name or address begins with
 * `search`. What they may do is checked when they are named: the graph refuses others.
 */
export async function offeredEditors(visit: Visit, projectId: string, search: string): Promise<Offer> {
  const named = memberFilter(search);
  const data = await visit.run(EDITORS, {
    ...{ id: visit.param('organization'), projectId, first: MAX_OFFERED },
    managers: { ...named, roles: ['OWNER', 'ADMIN'] },
    members: { ...named, roles: ['MEMBER'] },
    added: { ...named, roles: ['ADMIN', 'EDITOR'] },
    viewers: { ...named, roles: ['VIEWER'] },
  });
  const { organization, project } = data;
  const lists = [organization?.managers, organization?.members, project?.added];
  return offerOf(
    editorsIn(data),
    lists.some((list) => list?.pageInfo.hasNextPage),
    search,
  );
}

/** Owners and admins, and members who were added as editors or, in an open project, were not added as viewers. */
function editorsIn({ organization, project }: ConsoleEditorsQuery): ConsolePersonFragment[] {
  const viewerIds = new Set(project?.viewers.nodes.map(({ user }) => user.id));
  const members = project?.access === 'OPEN' ? (organization?.members.nodes ?? []) : [];
  const added = project?.added.nodes.filter(({ organizationRole }) => organizationRole !== 'GUEST') ?? [];
  const people = [
    ...(organization?.managers.nodes ?? []),
    ...members.filter(({ user }) => !viewerIds.has(user.id)),
    ...added,
  ].map(({ user }) => user);
  return [...new Map(people.map((user) => [user.id, user])).values()].sort((a, b) =>
    a.name.localeCompare(b.name, 'en'),
  );
}
