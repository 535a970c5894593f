import type { Identity } from '../../../domain/accounts/external-identity.ts';

export interface IdentityErrors {
  identities?: string;
}

interface IdentitySectionProps {
  /** The name of the identity provider; undefined if none is configured. */
  provider?: string;
  identities: readonly Identity[];
  formToken: string;
}

/** The part of `/account` with the identity providers with which its owner signs in. */
export const IdentitySection = ({ provider, identities, formToken }: IdentitySectionProps) => (
  <div class="card" id="identities">
    <h2>Sign-in with another account</h2>
    {identities.map(({ id, issuer, email, createdAt }) => (
      <form method="post" action="/account/identities">
        <input type="hidden" name="form_token" value={formToken} />
        <p class="who">
          {email ?? 'Connected'}
          <br />
          {new URL(issuer).hostname}, since {createdAt.toISOString().slice(0, 10)}
        </p>
        <button type="submit" class="plain" name="identity" value={id}>
          Disconnect
        </button>
      </form>
    ))}
    {provider && (
      <form method="post" action="/account/identities/connect">
        <input type="hidden" name="form_token" value={formToken} />
        <button type="submit" class="plain">
          Connect {provider}
        </button>
      </form>
    )}
  </div>
);
