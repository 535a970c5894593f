import { ConsoleLogDocument } from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import { NO_FILTER } from '../log/filter.ts';
import { EventRow } from '../log/view.tsx';
import { consolePage, managed } from '../ui/frame.tsx';
import { Pager, Rows } from '../ui/parts.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';

const LOG = storedOperation(ConsoleLogDocument);
const PAGE = 50;

/** What changes who can get in, and how: of the organization, its people, applications and webhooks; and what was redacted. */
const SECURITY_KINDS = [
  ...[
    'organization.*',
    'member.*',
    'serviceAccount.*',
    'invitation.*',
    'project.deleted',
    'project.purged',
    'project.restored',
  ],
  ...['client.*', 'application.*', 'webhook.*', 'event.redacted'],
];

/** `security` of an organization, for its owners and admins. */
export function organizationSecurityPages(pages: ConsolePages, organizationPath: string): void {
  pages.get(`${organizationPath}/security`, showSecurity);
}

async function showSecurity(visit: Visit): Promise<Response> {
  const after = visit.query('after');
  const variables = { id: visit.param('organization'), first: PAGE, after, kinds: SECURITY_KINDS };
  const organization = managed((await visit.run(LOG, variables)).organization);
  const { nodes, pageInfo } = organization.events;
  const path = sectionHref(visit, 'security');
  const children = (
    <>
      <p class="lead">
        Changes of who can get in, and how: settings, members, invitations, applications and webhooks, and
        what was removed from the log, newest first. What happens to the account of a member is shown to that
        member alone. All events are in <a href={sectionHref(visit, 'log')}>the log</a>.
      </p>
      <section class="card" aria-label="Events">
        <Rows count={nodes.length} empty="Nothing has happened yet.">
          {nodes.map((event) => (
            <EventRow event={event} path={sectionHref(visit, 'log')} query={NO_FILTER} />
          ))}
        </Rows>
        <Pager path={path} after={after} pageInfo={pageInfo} />
      </section>
    </>
  );
  return consolePage({ visit, title: 'Security events', organization, children });
}
