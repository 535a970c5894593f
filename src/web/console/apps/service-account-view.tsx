import type { ConsoleAppFragment } from '../../../generated/operations/graphql.ts';
import { rolesFor } from '../people/roles.ts';
import { Form, Select } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { isManager, type PageOrganization } from '../ui/frame.tsx';
import { Time, wordsOf } from '../ui/parts.tsx';
import type { Visit } from '../ui/visit.ts';

interface ServiceAccountProps {
  visit: Visit;
  organization: PageOrganization;
  app: ConsoleAppFragment;
  /** The page of the application. */
  path: string;
  error?: FormError;
}

/** With what role an application acts by itself, and the form that lets it. */
export const ServiceAccount = (props: ServiceAccountProps) => {
  const { app, organization } = props;
  return (
    <section class="card" aria-labelledby="service-account">
      <h2 id="service-account">Service account</h2>
      {app.serviceAccount ? (
        <p>
          It acts by itself as a member with the role {wordsOf(app.serviceAccount.role)}, since{' '}
          <Time at={app.serviceAccount.createdAt} />.{' '}
          {isManager(organization) && (
            <a href={`/console/${organization.id}/people/${app.serviceAccount.id}`}>
              Change the role or delete it
            </a>
          )}
        </p>
      ) : (
        <p>It has none: it acts for people who allow it, and not by itself.</p>
      )}
      {isManager(organization) && !app.serviceAccount && <CreateForm {...props} />}
    </section>
  );
};

const CreateForm = ({ visit, path, error }: ServiceAccountProps) => (
  <>
    <p>
      With one, whoever has a secret of the application gets tokens by the grant{' '}
      <code>client_credentials</code>, and may do what the role and the scopes of the application allow.
    </p>
    <Form action={`${path}/service-account`} formToken={visit.formToken}>
      <Select {...{ name: 'role', label: 'Role', error, choices: rolesFor('ADMIN'), value: 'GUEST' }} />
      <button type="submit">Create a service account</button>
    </Form>
  </>
);
