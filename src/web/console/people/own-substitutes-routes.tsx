import { ConsoleSubstitutesDocument } from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import { Name } from '../../ui/name.tsx';
import { consolePage } from '../ui/frame.tsx';
import { Row, Rows } from '../ui/parts.tsx';
import type { ConsolePages, Visit } from '../ui/visit.ts';
import { SubstituteText } from './substitute-view.tsx';

const SUBSTITUTES = storedOperation(ConsoleSubstitutesDocument);

/** `/console/substitutes`: who stands in for the viewer in each organization, with the page that sets it. */
export function ownSubstitutePages(pages: ConsolePages): void {
  pages.get('/console/substitutes', showSubstitutes);
}

async function showSubstitutes(visit: Visit): Promise<Response> {
  const { organizations, timeZone } = (await visit.run(SUBSTITUTES, {})).viewer;
  const deciding = organizations.nodes.filter(({ viewerRole }) => viewerRole !== 'GUEST');
  return consolePage({
    visit,
    title: 'Your substitutes',
    children: (
      <>
        <p class="lead">
          While you are away, a substitute gets your votes on approvals that are requested in that time.
        </p>
        <section class="card" aria-label="By organization">
          <Rows count={deciding.length} empty="You are in no organization in which you decide approvals.">
            {deciding.map(({ id, name, viewerMembership }) => (
              <Row>
                <a href={`/console/${id}/people/${viewerMembership?.id}#substitute`}>
                  <Name of={name} maxLength={80} />
                </a>
                <p>
                  {viewerMembership?.substitute ? (
                    <SubstituteText {...{ substitute: viewerMembership.substitute, timeZone }} />
                  ) : (
                    'No substitute'
                  )}
                </p>
              </Row>
            ))}
          </Rows>
        </section>
      </>
    ),
  });
}
