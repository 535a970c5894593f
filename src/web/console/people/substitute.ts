import {
  type ConsoleMemberQuery,
  ConsoleSubstituteCandidatesDocument,
} from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import { isManager, type PageOrganization } from '../ui/frame.tsx';
import { MAX_OFFERED, type Offer, offerOf } from '../ui/people-offer.ts';
import type { Visit } from '../ui/visit.ts';
import { memberFilter } from './member-search.ts';

const CANDIDATES = storedOperation(ConsoleSubstituteCandidatesDocument);

type Member = Extract<ConsoleMemberQuery['node'], { __typename: 'OrganizationMember' }>;

/** What was entered in the form of a substitute, and what was searched for. */
export interface EnteredSubstitute {
  toMemberId: string;
  /** Days in the time zone of the viewer. */
  startsAt: string;
  endsAt: string;
  search: string;
}

export interface SubstituteOptions {
  offer: Offer;
  entered: EnteredSubstitute | undefined;
  /** Whether it is of the viewer. */
  isOwn: boolean;
}

/** What the form of a substitute offers; undefined where the viewer may set none, and for who decides no approvals. */
export async function substituteOptions(
  visit: Visit,
  organization: PageOrganization,
  member: Member,
  entered: EnteredSubstitute | undefined,
): Promise<SubstituteOptions | undefined> {
  const isOwn = member.user.id === visit.viewer.userId;
  if (member.role === 'GUEST' || member.clientId || !(isOwn || isManager(organization))) return undefined;
  const search = entered?.search ?? '';
  const data = await visit.run(CANDIDATES, {
    ...{ id: organization.id, first: MAX_OFFERED + 1 },
    filter: { ...memberFilter(search), roles: ['OWNER', 'ADMIN', 'MEMBER'] },
  });
  const { nodes = [], pageInfo } = data.organization?.members ?? {};
  const others = nodes.filter(({ id, clientId }) => id !== member.id && !clientId);
  const people = others.map(({ id, user }) => ({ id, ...user }));
  return { isOwn, entered, offer: offerOf(people, pageInfo?.hasNextPage ?? false, search) };
}
