import type {
  ConsoleAppFragment,
  ConsoleRotateSecretMutation,
} from '../../../generated/operations/graphql.ts';
import { DAY, fromNow } from '../../../lib/time.ts';
import { type Choice, Form, Select } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { Row, Rows, Time } from '../ui/parts.tsx';
import { NewSecret } from './created-view.tsx';

type Secret = NonNullable<ConsoleAppFragment['secrets']>[number];

/** How long the current secret stays valid beside a new one, in days: fewer than the 90 that the database's clock allows. */
const OVERLAPS: readonly Choice[] = [
  { value: '7', text: '7 days' },
  { value: '30', text: '30 days' },
  { value: '60', text: '60 days' },
  { value: '0', text: 'Not at all: others may know it' },
];

/** When the current secret ends by the choice; after 7 days where there is none. */
export function chosenEnd(value: string | null): Date {
  const days = Number(OVERLAPS.find((overlap) => overlap.value === value)?.value ?? 7);
  return days === 0 ? new Date(0) : fromNow(days * DAY);
}

interface SecretsProps {
  app: ConsoleAppFragment;
  formToken: string;
  path: string;
  error?: FormError;
}

export const Secrets = ({ app, formToken, path, error }: SecretsProps) => {
  const secrets = app.secrets ?? [];
  return (
    <section class="card" aria-labelledby="secrets">
      <h2 id="secrets">Secrets</h2>
      <Rows count={secrets.length} empty="There is no secret.">
        {secrets.map((secret) => (
          <SecretRow secret={secret} />
        ))}
      </Rows>
      <p>
        A new secret is shown once. Put it everywhere where the current one is, and see here whether the old
        one is still used. One before the current one ends at once.
      </p>
      <Form action={`${path}/secret`} formToken={formToken}>
        <Select
          {...{ name: 'overlap', label: 'Keep the current one', choices: OVERLAPS, value: '7', error }}
        />
        <button type="submit">Make a new secret</button>
      </Form>
    </section>
  );
};

const SecretRow = ({ secret: { createdAt, expiresAt, lastUsedAt } }: { secret: Secret }) => (
  <Row>
    <strong>{expiresAt ? 'Previous secret' : 'Current secret'}</strong>
    <p>
      Created <Time at={createdAt} byMinute />
      {expiresAt && (
        <>
          , valid until <Time at={expiresAt} byMinute />
        </>
      )}
    </p>
    <p>
      {lastUsedAt ? (
        <>
          Last used <Time at={lastUsedAt} byMinute />
        </>
      ) : (
        'Not used yet'
      )}
    </p>
  </Row>
);

interface RotatedViewProps {
  secret: string;
  client: NonNullable<ConsoleRotateSecretMutation['rotateClientSecret']>['client'];
  path: string;
}

export const RotatedView = ({ secret, client, path }: RotatedViewProps) => (
  <section class="card" aria-label="Credentials">
    <NewSecret secret={secret} />
    {client.previousSecretExpiresAt && (
      <p>
        The previous secret is valid until <Time at={client.previousSecretExpiresAt} byMinute />.
      </p>
    )}
    <a class="button plain" href={path}>
      I have stored the secret
    </a>
  </section>
);
