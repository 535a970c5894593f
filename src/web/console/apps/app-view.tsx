import type { ConsoleAppFragment } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { type Choice, Choices, Confirmation, Form, Select, TextInput } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { isManager, type PageOrganization } from '../ui/frame.tsx';
import { Facts, Time } from '../ui/parts.tsx';
import { scopeText } from '../ui/scopes.ts';
import type { Visit } from '../ui/visit.ts';
import type { EnteredApp } from './entered.ts';
import { kindText } from './kind-text.ts';
import { LogoForm } from './logo-view.tsx';
import { Pages, RedirectUris, ResourceUri } from './new-view.tsx';
import { Secrets } from './secret-view.tsx';
import { ServiceAccount } from './service-account-view.tsx';
import { Snippets } from './snippets-view.tsx';

interface AppViewProps {
  visit: Visit;
  organization: PageOrganization;
  app: ConsoleAppFragment;
  path: string;
  scopes: readonly Choice[];
  error?: FormError;
  entered?: EnteredApp;
}

export const AppView = (props: AppViewProps) => {
  const { app, visit, organization } = props;
  return (
    <>
      <AppFacts {...props} />
      <Snippets app={app} publicUrl={visit.publicUrl} />
      {app.kind === 'CONFIDENTIAL' && <ServiceAccount {...props} />}
      {isManager(organization) && (
        <>
          <EditForm {...props} />
          {app.kind !== 'RESOURCE_SERVER' && <LogoForm {...props} />}
          {app.kind !== 'PUBLIC' && <Secrets {...props} formToken={visit.formToken} />}
          {app.kind !== 'RESOURCE_SERVER' && <EndForm {...props} />}
          <DeleteForm {...props} />
        </>
      )}
    </>
  );
};

const AppFacts = ({ app, organization }: Pick<AppViewProps, 'app' | 'organization'>) => (
  <section class="card" aria-label="Facts">
    <Facts
      facts={[
        ['client_id', <code>{app.id}</code>],
        ['Runs', kindText(app)],
        ...(app.kind === 'RESOURCE_SERVER'
          ? [['Address of the API', <code>{app.resourceUri}</code>] as const]
          : ([
              ['Scopes', app.scopes.map(scopeText).join(', ') || 'None: it is disabled'],
              ['Redirect addresses', app.redirectUris.map((uri) => <code class="line">{uri}</code>)],
              ['Access tokens', app.tokenFormat === 'JWT' ? 'Signed (JWT)' : 'Opaque'],
              ['Verified', app.verifiedAt ? <Time at={app.verifiedAt} /> : 'No'],
            ] as const)),
        ...(app.usage ? [['Used by', <Usage usage={app.usage} />] as const] : []),
        ...(isManager(organization)
          ? [['Requests', <a href={`/console/${organization.id}/use/${app.id}`}>Use of the APIs</a>] as const]
          : []),
        [
          'Registered',
          <>
            <Time at={app.createdAt} /> by <Name of={app.createdBy.name} maxLength={80} />
          </>,
        ],
      ]}
    />
  </section>
);

const peopleText = (people: number): string => (people === 1 ? '1 person allows' : `${people} people allow`);

const Usage = ({ usage: { people, lastUsedAt } }: { usage: NonNullable<ConsoleAppFragment['usage']> }) => (
  <>
    {people === 1 ? '1 person' : `${people} people`},{' '}
    {lastUsedAt ? (
      <>
        last <Time at={lastUsedAt} byMinute />
      </>
    ) : (
      'not lately'
    )}
  </>
);

const FORMATS: readonly Choice[] = [
  { value: 'OPAQUE', text: 'Opaque' },
  { value: 'JWT', text: 'Signed (JWT, RFC 9068), for APIs that check them by themselves' },
];

const EditForm = ({ app, visit, path, scopes, error, entered }: AppViewProps) => (
  <section class="card" aria-labelledby="edit">
    <h2 id="edit">Change it</h2>
    {app.verifiedAt && (
      <p>
        A new name, home page, logo or redirect address ends the verification by the operator of this
        installation.
      </p>
    )}
    <Form action={path} formToken={visit.formToken}>
      <input type="hidden" name="version" value={`${app.version}`} />
      <TextInput {...{ name: 'name', label: 'Name', error, value: entered?.name ?? app.name }} />
      {app.kind === 'RESOURCE_SERVER' ? (
        <ResourceUri value={entered?.resourceUri ?? app.resourceUri ?? ''} error={error} />
      ) : (
        <>
          <RedirectUris value={entered?.redirectUris ?? app.redirectUris.join('\n')} error={error} />
          <Pages
            homePageUrl={entered?.homePageUrl ?? app.homePageUrl ?? ''}
            privacyUrl={entered?.privacyUrl ?? app.privacyUrl ?? ''}
            error={error}
          />
          <Choices
            {...{ name: 'scopes', label: 'Scopes', choices: scopes, error }}
            hint="Its tokens lose what you take away at once."
            chosen={entered?.scopes ?? app.scopes}
          />
          <Select
            {...{ name: 'tokenFormat', label: 'New access tokens', error, choices: FORMATS }}
            value={app.tokenFormat}
          />
        </>
      )}
      <button type="submit">Save</button>
    </Form>
  </section>
);

const EndForm = ({ app, visit, path, error }: AppViewProps) => (
  <section class="card danger" aria-labelledby="end">
    <h2 id="end">End all authorizations</h2>
    <p>
      {peopleText(app.usage?.people ?? 0)} it now. All tokens end at once, and people are asked again when
      they next use it.
    </p>
    <Form action={`${path}/end`} formToken={visit.formToken}>
      <Confirmation text="All authorizations shall end" error={error} />
      <button type="submit" class="danger">
        End all
      </button>
    </Form>
  </section>
);

const DeleteForm = ({ app, visit, path, error }: AppViewProps) => (
  <section class="card danger" aria-labelledby="delete">
    <h2 id="delete">Delete the application</h2>
    <p>All its tokens end at once, for everybody who has allowed it. This cannot be undone.</p>
    <Form action={`${path}/delete`} formToken={visit.formToken}>
      <TextInput {...{ name: 'typed', label: `Type its name: ${app.name}`, error }} />
      <button type="submit" class="danger">
        Delete
      </button>
    </Form>
  </section>
);
