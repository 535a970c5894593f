import { DEFAULT_RETRY, withRetries } from '../http/retry.ts';
import { type Credential, send, withTimeout } from '../http/transport.ts';
import { exclusively } from './lock.ts';
import { challengeOf, randomText } from './pkce.ts';
import { OAuthError, readTokens } from './token-response.ts';
import { memoryStorage, memoryTokens, type TextStorage, type TokenStore, type Tokens } from './tokens.ts';

export interface OAuthOptions {
  /** The address of the server, which is also the issuer. */
  url: string;
  clientId: string;
  /** Where the server sends the browser back to; registered for the client. */
  redirectUri: string;
  /** `read` and `write` by default. */
  scope?: readonly string[] | undefined;
  /** In memory by default. */
  tokens?: TokenStore | undefined;
  /** Keeps the sign-in that has begun while the browser is away; `sessionStorage` by default. */
  pending?: TextStorage | undefined;
  fetch?: typeof fetch | undefined;
}

interface Pending {
  verifier: string;
  returnTo: string | undefined;
}

/** Milliseconds before its end at which an access token is replaced. */
const EARLY = 30_000;
const TIMEOUT = 30_000;
/** After a lost answer, a server with REFRESH_GRACE_SECONDS sends the same tokens again; others end the sign-in. */
const REFRESH_RETRY = { ...DEFAULT_RETRY, attempts: 3, longestPause: 2_000 };

/** Signs people in to a public client, with PKCE (RFC 7636), and holds its tokens. */
export class OAuth implements Credential {
  readonly #options: OAuthOptions;
  readonly #url: string;
  readonly #fetch: typeof fetch;
  readonly #tokens: TokenStore;
  readonly #pending: TextStorage;

  constructor(options: OAuthOptions) {
    this.#options = options;
    this.#url = options.url.replace(/\/+$/, '');
    this.#fetch = options.fetch ?? ((...call) => fetch(...call));
    this.#tokens = options.tokens ?? memoryTokens();
    const { sessionStorage } = globalThis as { sessionStorage?: TextStorage };
    this.#pending = options.pending ?? sessionStorage ?? memoryStorage();
  }

  /** Where to send the browser to sign in. `returnTo` comes back from `handleCallback`. */
  async authorizeUrl(returnTo?: string): Promise<string> {
    const [state, verifier] = [randomText(), randomText()];
    this.#pending.setItem(keyOf(state), JSON.stringify({ verifier, returnTo } satisfies Pending));
    const { clientId, redirectUri, scope = ['read', 'write'] } = this.#options;
    const parameters = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: scope.join(' '),
      state,
      code_challenge: await challengeOf(verifier),
      code_challenge_method: 'S256',
    });
    return `${this.#url}/oauth/authorize?${parameters}`;
  }

  /** Whether the address is that of a browser that comes back from the sign-in. */
  isCallback(address: string): boolean {
    const { searchParams } = new URL(address);
    return searchParams.has('state') && (searchParams.has('code') || searchParams.has('error'));
  }

  /** Completes a sign-in that began here. Throws OAuthError, as for `access_denied`. */
  async handleCallback(address: string): Promise<{ returnTo: string | undefined }> {
    const { searchParams } = new URL(address);
    const key = keyOf(searchParams.get('state') ?? '');
    const text = this.#pending.getItem(key);
    if (!text) throw new OAuthError('invalid_state', 'This sign-in did not begin here, or is over already.');
    this.#pending.removeItem(key);
    // An answer of another server must not reach the token endpoint of this one (RFC 9207 §2.4).
    if (searchParams.get('iss') !== this.#url)
      throw new OAuthError('invalid_issuer', 'The answer comes from another server.');
    const error = searchParams.get('error');
    if (error) throw new OAuthError(error, searchParams.get('error_description') ?? error);
    const { verifier, returnTo } = JSON.parse(text) as Pending;
    await this.#redeem(searchParams.get('code') ?? '', verifier);
    return { returnTo };
  }

  /** Whether there are tokens. */
  async isSignedIn(): Promise<boolean> {
    return (await this.#tokens.get()) !== undefined;
  }

  /** A valid access token; undefined before the sign-in. */
  async current(): Promise<string | undefined> {
    const tokens = await this.#tokens.get();
    if (!tokens) return undefined;
    return Date.now() < tokens.expiresAt - EARLY ? tokens.accessToken : this.renew(tokens.accessToken);
  }

  /**
   * Replaces a token that has ended, once for all who ask at the same time: whoever waited gets what the first one got.
   * Undefined where the sign-in is over.
   */
  renew(rejected: string | undefined): Promise<string | undefined> {
    return exclusively(`docgraph ${this.#options.clientId}`, async () => {
      const tokens = await this.#tokens.get();
      if (!tokens || tokens.accessToken !== rejected) return tokens?.accessToken;
      try {
        const refresh = () => this.#refresh(tokens);
        return await withRetries(refresh, REFRESH_RETRY);
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error;
        await this.#tokens.set();
        return undefined;
      }
    });
  }

  /** Revokes the tokens at the server, and forgets them. */
  async signOut(): Promise<void> {
    const tokens = await this.#tokens.get();
    await this.#tokens.set();
    if (tokens) await this.#post('revoke', { token: tokens.refreshToken });
  }

  async #redeem(code: string, verifier: string): Promise<void> {
    const { redirectUri } = this.#options;
    const form = {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    };
    await this.#tokens.set(await readTokens(await this.#post('token', form)));
  }

  async #refresh({ refreshToken }: Tokens): Promise<string> {
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const tokens = await readTokens(await this.#post('token', form));
    await this.#tokens.set(tokens);
    return tokens.accessToken;
  }

  #post(endpoint: string, form: Record<string, string>): Promise<Response> {
    const body = new URLSearchParams({ ...form, client_id: this.#options.clientId });
    const init = { method: 'POST', body, signal: withTimeout(undefined, TIMEOUT) };
    return send({ fetch: this.#fetch }, `${this.#url}/oauth/${endpoint}`, init);
  }
}

const keyOf = (state: string): string => `docgraph.sign-in.${state}`;
