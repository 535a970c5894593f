import { raw } from 'hono/html';
import { renderSVG } from 'uqr';
import { base32 } from '../../domain/accounts/base32.ts';
import { CodeErrorSummary, CodeField } from '../sign-in/second-factor-view.tsx';
import { Frame } from '../ui/layout.tsx';

export interface AddAuthenticatorAppProps {
  seed: Uint8Array;
  /** The seed, as the form sends it back. */
  sealed: string;
  email: string;
  formToken: string;
  error?: string;
}

/** What an app reads from the picture: a key URI, with the defaults of SHA-1, six digits and 30 seconds. */
const keyUri = (email: string, key: string): string =>
  `otpauth://totp/${encodeURIComponent(`Docgraph:${email}`)}?secret=${key}&issuer=Docgraph`;

export const AddAuthenticatorApp = ({ seed, sealed, email, formToken, error }: AddAuthenticatorAppProps) => {
  const key = base32(seed);
  return (
    <Frame title={error ? 'Error: Add an authenticator app' : 'Add an authenticator app'}>
      <div class="card">
        {error && <CodeErrorSummary errors={{ code: error }} />}
        <h1>Add an authenticator app</h1>
        <p class="lead">Scan the picture with the app, or type the key into it.</p>
        <div class="qr" role="img" aria-label="QR code with the key">
          {raw(renderSVG(keyUri(email, key), { ecc: 'M', border: 4 }))}
        </div>
        <p>
          Key: <code class="key">{key.match(/.{4}/g)?.join(' ')}</code>
        </p>
        <form method="post" action="/account/authenticator-app" novalidate>
          <input type="hidden" name="form_token" value={formToken} />
          <input type="hidden" name="seed" value={sealed} />
          <CodeField error={error} />
          <div class="actions">
            <button type="submit">Add the app</button>
            <a href="/account/second-factors">Cancel</a>
          </div>
        </form>
      </div>
    </Frame>
  );
};
