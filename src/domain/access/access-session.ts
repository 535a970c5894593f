import { typeOfId } from '../../lib/id.ts';
import { forbidden } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** Throws FORBIDDEN unless the viewer is signed in in a browser: an account is not opened by API keys or applications. */
export function requireBrowserSession({ credentialId }: Viewer): void {
  if (typeOfId(credentialId) !== 'SignIn')
    throw forbidden(
      'Accounts are managed by who is signed in in a browser, not with an API key and not by an application.',
      undefined,
      { rule: 'BROWSER_SESSION' },
    );
}
