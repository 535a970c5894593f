import { ConsoleSecurityDocument } from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import { Name } from '../../ui/name.tsx';
import { consolePage } from '../ui/frame.tsx';
import { Pager, Row, Rows, Time } from '../ui/parts.tsx';
import type { ConsolePages, Visit } from '../ui/visit.ts';

const SECURITY = storedOperation(ConsoleSecurityDocument);
const PATH = '/console/security';

/** `/console/security`: what happened to the account of the viewer. */
export function securityPages(pages: ConsolePages): void {
  pages.get(PATH, showSecurity);
}

async function showSecurity(visit: Visit): Promise<Response> {
  const after = visit.query('after');
  const { viewer } = await visit.run(SECURITY, { after });
  const { nodes, pageInfo } = viewer.securityEvents;
  const children = (
    <>
      <p class="lead">
        What happened to your account, its keys and the applications with access. Change your password on{' '}
        <a href="/account">your account</a> if something of it was not you.
      </p>
      <section class="card" aria-label="Events">
        <Rows count={nodes.length} empty="Nothing has happened yet.">
          {nodes.map(({ kind, createdAt, clientName, ipAddress }) => (
            <Row>
              <strong>{kind}</strong> <Time at={createdAt} byMinute />
              <p>
                {clientName && (
                  <>
                    <Name of={clientName} maxLength={80} />{' '}
                  </>
                )}
                {ipAddress && `from ${ipAddress}`}
              </p>
            </Row>
          ))}
        </Rows>
        <Pager path={PATH} after={after} pageInfo={pageInfo} />
      </section>
    </>
  );
  return consolePage({ visit, title: 'Events of your account', children });
}
