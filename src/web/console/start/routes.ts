import {
  ConsoleAcceptInvitationDocument,
  ConsoleDeclineInvitationDocument,
  ConsoleOverviewDocument,
  ConsoleStartDocument,
  type ConsoleSummaryFragment,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { DAY } from '../../../lib/time.ts';
import { seeOther } from '../../ui/responses.ts';
import { deliveryText } from '../ui/delivery.ts';
import { attempt, type FormError } from '../ui/form-error.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import type { ConsolePages, Visit } from '../ui/visit.ts';
import type { Notice } from './notices.tsx';
import { OverviewView } from './overview-view.tsx';
import { StartView } from './view.tsx';

const START = storedOperation(ConsoleStartDocument);
const OVERVIEW = storedOperation(ConsoleOverviewDocument);
const ACCEPT = storedMutation(ConsoleAcceptInvitationDocument);
const DECLINE = storedMutation(ConsoleDeclineInvitationDocument);

const MAX_ORGANIZATIONS = 20;
/** What ends within this time asks for attention. */
const SOON = 14 * DAY;

/** `/console` and the page of an organization: what asks for action. */
export function startPages(pages: ConsolePages, organizationPath: string): void {
  pages.get('/console', (visit) => showStart(visit));
  pages.post('/console', answerInvitation);
  pages.get(organizationPath, showOverview);
}

async function showStart(visit: Visit, error?: FormError): Promise<Response> {
  const { viewer } = await visit.run(START, { organizations: MAX_ORGANIZATIONS });
  const { nodes, pageInfo } = viewer.organizations;
  const view = StartView({
    formToken: visit.formToken,
    organizations: nodes.map((organization) => ({ organization, notices: noticesOf(organization) })),
    hasMore: pageInfo.hasNextPage,
    work: {
      approvals: viewer.approvals.nodes,
      tasks: viewer.tasks.nodes,
      documents: viewer.documents.nodes,
    },
    own: ownNotices(viewer),
    invitations: viewer.invitations.nodes,
    closed: viewer.account?.closedOrganizations ?? [],
  });
  const done = visit.query('done') === 'declined' ? 'The invitation was declined.' : undefined;
  return consolePage({ visit, title: 'Start', done, error, children: view });
}

/** Accepts or declines an invitation to the viewer. */
const answerInvitation = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  attempt(
    async () => {
      const input = { invitationId: form.get('invitation') ?? '' };
      if (form.get('answer') !== 'accept') {
        await visit.run(DECLINE, { input });
        return seeOther('/console?done=declined');
      }
      const { acceptInvitation } = await visit.run(ACCEPT, { input });
      return seeOther(`/console/${acceptInvitation.member.organizationId}`);
    },
    (error) => showStart(visit, error),
  );

async function showOverview(visit: Visit): Promise<Response> {
  const organization = visible((await visit.run(OVERVIEW, { id: visit.param('organization') })).organization);
  const view = OverviewView({ organization, notices: noticesOf(organization) });
  return consolePage({ visit, title: organization.name, organization, children: view });
}

const endsSoon = (time: string | null): boolean => {
  const left = time === null ? Number.POSITIVE_INFINITY : Date.parse(time) - Date.now();
  return left > 0 && left < SOON;
};

const count = <Item>(items: readonly Item[], is: (item: Item) => boolean): number => items.filter(is).length;

/** What an owner or admin should look at; the graph shows none of it to others. */
function noticesOf({ id, invitations, webhooks, clients, applications }: ConsoleSummaryFragment): Notice[] {
  const people = `/console/${id}/people#invitations`;
  const open = invitations.nodes;
  return [
    { href: people, count: open.length, more: invitations.pageInfo.hasNextPage, of: 'open invitation' },
    { href: people, count: count(open, ({ isExpired }) => isExpired), of: 'expired invitation', bad: true },
    {
      href: people,
      count: count(open, ({ delivery }) => deliveryText(delivery).tone === 'bad'),
      of: 'invitation not delivered',
      plural: 'invitations not delivered',
      bad: true,
    },
    {
      href: `/console/${id}/webhooks`,
      count: count(
        webhooks.nodes,
        ({ state, failingSince }) => state === 'SUSPENDED' || failingSince !== null,
      ),
      of: 'failing webhook',
      bad: true,
    },
    {
      href: `/console/${id}/access?waiting=yes`,
      count: applications.nodes.length,
      more: applications.pageInfo.hasNextPage,
      of: 'application that waits for a decision',
      plural: 'applications that wait for a decision',
    },
    {
      href: `/console/${id}/apps`,
      count: count(clients.nodes, (client) => endsSoon(client.previousSecretExpiresAt)),
      of: 'secret that ends within 14 days',
      plural: 'secrets that end within 14 days',
    },
    {
      href: `/console/${id}/use#deprecations`,
      count: count(clients.nodes, ({ requestUsage }) => Boolean(requestUsage?.deprecated.length)),
      of: 'application that uses what is deprecated',
      plural: 'applications that use what is deprecated',
    },
  ].filter((notice) => notice.count > 0);
}

interface Own {
  isEmailVerified: boolean;
  unreadNotificationCount: number;
  apiKeys: { nodes: readonly { expiresAt: string | null }[] };
}

const ownNotices = ({ isEmailVerified, unreadNotificationCount, apiKeys }: Own): Notice[] =>
  [
    { href: '/console/inbox', count: unreadNotificationCount, of: 'unread notification' },
    {
      href: '/console/keys',
      count: count(apiKeys.nodes, ({ expiresAt }) => endsSoon(expiresAt)),
      of: 'API key that ends within 14 days',
      plural: 'API keys that end within 14 days',
    },
    { href: '/account#email-address', count: isEmailVerified ? 0 : 1, of: 'address to confirm', bad: true },
  ].filter((notice) => notice.count > 0);
