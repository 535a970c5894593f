import type { ConsoleAppsQuery } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { isManager } from '../ui/frame.tsx';
import { Badge, Pager, Row, Rows, Time } from '../ui/parts.tsx';
import { scopeText } from '../ui/scopes.ts';
import { kindText } from './kind-text.ts';

interface AppsViewProps {
  organization: NonNullable<ConsoleAppsQuery['organization']>;
  after: string | undefined;
}

export const AppsView = ({ organization, after }: AppsViewProps) => {
  const path = `/console/${organization.id}/apps`;
  const { nodes, pageInfo } = organization.clients;
  return (
    <>
      <p class="lead">
        Applications of this organization. People allow them to use their account, with the scopes that they
        see before.
      </p>
      {isManager(organization) && (
        <p>
          <a class="button" href={`${path}/new`}>
            New application
          </a>
        </p>
      )}
      <section class="card" aria-label="Applications">
        <Rows count={nodes.length} empty="No application is registered.">
          {nodes.map((app) => (
            <Row buttons={<Badge text={kindText(app)} />}>
              <a href={`${path}/${app.id}`}>
                <Name of={app.name} maxLength={80} />
              </a>
              <p>
                {app.kind === 'RESOURCE_SERVER' ? (
                  <bdi>{app.resourceUri}</bdi>
                ) : (
                  app.scopes.map(scopeText).join(', ') || 'Disabled: it has no scope'
                )}
              </p>
              {app.usage && (
                <p>
                  {app.usage.people === 1 ? '1 person allows it' : `${app.usage.people} people allow it`}
                  {app.usage.lastUsedAt && (
                    <>
                      , last used <Time at={app.usage.lastUsedAt} byMinute />
                    </>
                  )}
                </p>
              )}
              {app.previousSecretExpiresAt && (
                <p>
                  Its previous secret ends <Time at={app.previousSecretExpiresAt} byMinute />
                </p>
              )}
            </Row>
          ))}
        </Rows>
        <Pager path={path} after={after} pageInfo={pageInfo} />
      </section>
    </>
  );
};
