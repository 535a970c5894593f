import type { ConsoleUseQuery } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { numberText, timesText } from '../ui/numbers.ts';
import { Badge, Pager, Row, Rows, Time } from '../ui/parts.tsx';
import { adviceText, durationText } from './usage-view.tsx';

type Organization = NonNullable<ConsoleUseQuery['organization']>;
type App = Organization['clients']['nodes'][number];
type Deprecation = ConsoleUseQuery['deprecations'][number];

interface UseViewProps {
  path: string;
  apps: Organization['clients'];
  deprecations: readonly Deprecation[];
  after: string | undefined;
}

export const UseView = ({ path, apps: { nodes, pageInfo }, deprecations, after }: UseViewProps) => (
  <>
    <p class="lead">
      Requests of the organization’s applications in the last 30 days. Those of your API keys are{' '}
      <a href="/console/keys">with the keys</a>.
    </p>
    <section class="card" aria-labelledby="apps">
      <h2 id="apps">Applications</h2>
      <Rows count={nodes.length} empty="The organization has no application.">
        {nodes.map((app) => (
          <AppRow app={app} path={path} />
        ))}
      </Rows>
      <Pager path={path} after={after} pageInfo={pageInfo} />
    </section>
    <section class="card" aria-labelledby="deprecations">
      <h2 id="deprecations">What is deprecated, and which of these use it</h2>
      <Rows count={deprecations.length} empty="Nothing is deprecated.">
        {deprecations.map((deprecation) => (
          <DeprecationRow deprecation={deprecation} apps={nodes} path={path} />
        ))}
      </Rows>
    </section>
  </>
);

const AppRow = ({ app: { id, name, requestUsage }, path }: { app: App; path: string }) => (
  <Row
    buttons={
      requestUsage && requestUsage.deprecated.length > 0 ? (
        <Badge text="Uses what is deprecated" tone="bad" />
      ) : undefined
    }
  >
    <a href={`${path}/${id}`}>
      <Name of={name} maxLength={80} />
    </a>
    {requestUsage && <p>{summaryOf(requestUsage)}</p>}
  </Row>
);

const summaryOf = ({ requests, errors, p95Milliseconds }: NonNullable<App['requestUsage']>): string =>
  requests === 0
    ? 'No requests'
    : `${numberText(requests)} ${requests === 1 ? 'request' : 'requests'} · ${numberText(errors)} refused or failed · 95 % within ${durationText(p95Milliseconds)}`;

interface DeprecationRowProps {
  deprecation: Deprecation;
  apps: readonly App[];
  path: string;
}

const DeprecationRow = ({ deprecation, apps, path }: DeprecationRowProps) => {
  const uses = apps.flatMap(({ id, name, requestUsage }) => {
    const use = requestUsage?.deprecated.find((each) => each.name === deprecation.name);
    return use ? [{ id, name, use }] : [];
  });
  return (
    <Row>
      <code>{deprecation.name}</code>
      <p>
        Since <Time at={deprecation.since} />. {adviceText(deprecation)}
      </p>
      {uses.length === 0 && <p>None of these applications used it.</p>}
      {uses.map(({ id, name, use }) => (
        <p>
          <a href={`${path}/${id}#deprecated`}>
            <Name of={name} maxLength={80} />
          </a>
          : {timesText(use.count).toLowerCase()}, last on <Time at={use.lastAt} />
        </p>
      ))}
    </Row>
  );
};
