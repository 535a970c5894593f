import type { ConsoleCreateKeysMutation, ConsoleKeysQuery } from '../../../generated/operations/graphql.ts';
import { ClosedWithoutFactor } from '../../ui/closed-without-factor.tsx';
import { Name } from '../../ui/name.tsx';
import { Form } from '../ui/fields.tsx';
import { Badge, Copied, Facts, Pager, Row, Rows, Time } from '../ui/parts.tsx';
import { scopeText } from '../ui/scopes.ts';

type Keys = ConsoleKeysQuery['viewer']['apiKeys'];
type Key = Keys['nodes'][number];

interface KeysViewProps {
  path: string;
  newHref: string;
  keys: Keys;
  after: string | undefined;
  formToken: string;
}

export const KeysView = ({ path, newHref, keys: { nodes, pageInfo }, after, formToken }: KeysViewProps) => (
  <>
    <p class="lead">Programs of yours send a key as a bearer credential, to GraphQL and to REST v1.</p>
    <p>
      <a class="button" href={newHref}>
        New API key
      </a>
    </p>
    <section class="card" aria-label="Keys">
      <Rows count={nodes.length} empty="You have no API key.">
        {nodes.map((apiKey) => (
          <KeyRow {...{ apiKey, path, formToken }} />
        ))}
      </Rows>
      <Pager path={path} after={after} pageInfo={pageInfo} />
    </section>
  </>
);

const KeyRow = ({ apiKey, path, formToken }: { apiKey: Key; path: string; formToken: string }) => (
  <Row
    buttons={
      <>
        <a href={`${path}/${apiKey.id}/use`} aria-describedby={apiKey.id}>
          Use
        </a>
        <Form action={`${path}/revoke`} formToken={formToken} class="inline">
          <button
            type="submit"
            name="key"
            value={apiKey.id}
            class="small danger"
            aria-describedby={apiKey.id}
          >
            Revoke
          </button>
        </Form>
      </>
    }
  >
    <strong id={apiKey.id}>
      <Name of={apiKey.name} maxLength={80} />
    </strong>{' '}
    <code>{apiKey.prefix}…</code> {apiKey.isExpired && <Badge text="Ended" tone="bad" />}
    <p>{apiKey.scopes.map(scopeText).join(', ') || 'No scope'}</p>
    <p>
      Created <Time at={apiKey.createdAt} />
      {apiKey.parentId && ' by another key'},{' '}
      {apiKey.lastUsedAt ? (
        <>
          last used <Time at={apiKey.lastUsedAt} byMinute />
        </>
      ) : (
        'never used'
      )}
      ,{' '}
      {apiKey.expiresAt ? (
        <>
          {apiKey.isExpired ? 'ended' : 'ends'} <Time at={apiKey.expiresAt} />
        </>
      ) : (
        'does not end'
      )}
    </p>
  </Row>
);

interface CreatedKeyViewProps {
  created: NonNullable<ConsoleCreateKeysMutation['createApiKeys']>['created'][number];
  listHref: string;
}

/** A new key, with the secret that is shown only here. */
export const CreatedKeyView = ({
  created: { secret, key, closedOrganizations },
  listHref,
}: CreatedKeyViewProps) => (
  <section class="card" aria-label="New key">
    <p>Store it in a safe place now: it is not shown again.</p>
    <Copied id="secret" text={secret} />
    <ClosedWithoutFactor names={closedOrganizations} what="The key" />
    <Facts
      facts={[
        ['Name', <Name of={key.name} maxLength={80} />],
        ['Scopes', key.scopes.map(scopeText).join(', ')],
        ['Ends', key.expiresAt ? <Time at={key.expiresAt} /> : 'Never'],
      ]}
    />
    <a class="button plain" href={listHref}>
      I have stored it
    </a>
  </section>
);
