import { createClient, OAuth, storedTokens } from '@docgraph/client';
import { createStore } from './store.ts';

/** Where the server is, and which OAuth application this is: see `.env` in the README. */
export const SERVER: string = import.meta.env.VITE_DOCGRAPH_URL ?? 'http://localhost:4000';

export const oauth = new OAuth({
  url: SERVER,
  clientId: import.meta.env.VITE_CLIENT_ID ?? '',
  redirectUri: `${location.origin}/callback`,
  // A reload stays signed in, and the end of the tab ends it. Without this line, tokens are in memory only.
  tokens: storedTokens(sessionStorage),
});

export const docgraph = createClient({ url: SERVER, oauth });

/** Leaves for the sign-in page of the server. */
export async function signIn(): Promise<void> {
  location.assign(
    await oauth.authorizeUrl(location.pathname === '/callback' ? '/' : location.pathname + location.search),
  );
}

/** Whether the server has ended the sign-in: it was revoked, or has expired. */
export const ended = createStore(false);

/** Ends the authorization, and begins anew. The next person finds nothing of this one in the tab. */
export async function signOut(): Promise<void> {
  await oauth.signOut();
  sessionStorage.clear();
  location.assign('/');
}

/** Completes a sign-in when the browser comes back from it. Whether somebody is signed in. */
export async function startSession(): Promise<boolean> {
  if (oauth.isCallback(location.href)) {
    const { returnTo } = await oauth.handleCallback(location.href);
    history.replaceState(null, '', returnTo ?? '/');
    dispatchEvent(new PopStateEvent('popstate'));
  }
  return oauth.isSignedIn();
}
