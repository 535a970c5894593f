import { createHmac } from 'node:crypto';
import type { Configuration } from 'openid-client';
import { HOUR, SECOND } from '../../lib/time.ts';

export interface ProviderSettings {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
}

/** What the provider says of a person. */
export interface ProviderClaims {
  issuer: string;
  subject: string;
  email?: string;
  /** Only if the provider says so: a missing claim is no proof. */
  isEmailVerified: boolean;
  name?: string;
}

/** The provider cannot be reached, or its description is not valid. */
export class ProviderUnavailable extends Error {}

/** The answer of the provider was refused. The message is for the log. */
export class SignInRefused extends Error {
  /** The person cancelled, or the provider does not let them in. */
  readonly isDenied: boolean;

  constructor(message: string, isDenied = false) {
    super(message);
    this.isDenied = isDenied;
  }
}

/** Of each call to the provider. */
const TIMEOUT_SECONDS = 5;

/** How long the description of the provider is kept, and how long it is not asked for again after a failure. */
const KEEP = HOUR;
const RETRY_AFTER = 5 * SECOND;

/**
 * An OpenID Connect provider (authorization code flow with PKCE). It is first contacted when somebody signs in: a provider that
 * is down neither delays the start of the server nor the sign-in with a password.
 */
export class IdentityProvider {
  readonly #settings: ProviderSettings;
  readonly #redirectUri: string;
  #discovery: Promise<Configuration> | undefined;
  #expires = 0;

  constructor(settings: ProviderSettings, publicUrl: string) {
    this.#settings = settings;
    this.#redirectUri = `${publicUrl}${CALLBACK_PATH}`;
  }

  /**
   * The page of the provider at which a person signs in. `secret` is known to their browser alone; all values that the
   * answer has to match are derived from it. Throws ProviderUnavailable.
   */
  async authorizationUrl(secret: string): Promise<URL> {
    const [client, config] = [await import('openid-client'), await this.#configuration()];
    const { state, nonce, verifier } = derivedFrom(secret);
    return client.buildAuthorizationUrl(config, {
      ...{ redirect_uri: this.#redirectUri, scope: 'openid email profile', state, nonce },
      ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    });
  }

  /** Redeems the answer, the query of the redirect. Throws ProviderUnavailable and SignInRefused. */
  async claimsOf(secret: string, query: string): Promise<ProviderClaims> {
    const [client, config] = [await import('openid-client'), await this.#configuration()];
    const { state, nonce, verifier } = derivedFrom(secret);
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
    try {
      const url = new URL(`${this.#redirectUri}?${query}`);
      const tokens = await client.authorizationCodeGrant(config, url, { ...checks, idTokenExpected: true });
      const token = tokens.claims();
      if (!token) throw new SignInRefused('The provider sent no ID token.');
      const userInfo =
        token.email === undefined && config.serverMetadata().userinfo_endpoint
          ? await client.fetchUserInfo(config, tokens.access_token, token.sub)
          : {};
      return claimsFrom({ ...userInfo, ...token });
    } catch (error) {
      throw asRefusal(error);
    }
  }

  /** One look-up for all who wait. Failures are kept for a moment, so that each sign-in does not wait for a timeout. */
  #configuration(): Promise<Configuration> {
    if (this.#discovery && performance.now() < this.#expires) return this.#discovery;
    this.#expires = performance.now() + KEEP;
    this.#discovery = discover(this.#settings).catch((cause) => {
      this.#expires = performance.now() + RETRY_AFTER;
      throw new ProviderUnavailable('The identity provider cannot be reached.', { cause });
    });
    return this.#discovery;
  }
}

/** The path of the redirect URI, which is registered at the provider. */
const CALLBACK_PATH = '/sign-in/oidc/callback';

async function discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<Configuration> {
  const client = await import('openid-client');
  const authentication = clientSecret ? client.ClientSecretBasic(clientSecret) : client.None();
  // The settings allow http for an issuer on this machine alone.
  const insecure = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
  return client.discovery(new URL(issuer), clientId, clientSecret, authentication, {
    timeout: TIMEOUT_SECONDS,
    execute: [client.enableNonRepudiationChecks, ...insecure],
  });
}

/** RFC 7636 §4.1 allows 43 to 128 characters in a verifier; these have 43. */
function derivedFrom(secret: string): { state: string; nonce: string; verifier: string } {
  const derive = (purpose: string) =>
    createHmac('sha256', secret).update(`oidc.${purpose}`).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
}

const claimsFrom = (claims: Record<string, unknown>): ProviderClaims => {
  const text = (value: unknown) => (typeof value === 'string' && value.length <= 1_000 ? value : undefined);
  return {
    issuer: text(claims.iss) ?? '',
    subject: text(claims.sub) ?? '',
    email: text(claims.email),
    isEmailVerified: claims.email_verified === true,
    name: text(claims.name),
  };
};

/** Errors of the network become ProviderUnavailable; everything that does not fit the request, SignInRefused. */
function asRefusal(error: unknown): Error {
  if (error instanceof SignInRefused) return error;
  const { name, code, message, error: oauthError, cause } = error as Record<string, unknown>;
  if (
    name === 'TimeoutError' ||
    code === 'OAUTH_TIMEOUT' ||
    (name === 'TypeError' && message === 'fetch failed')
  )
    return new ProviderUnavailable('The identity provider does not answer.', { cause: error });
  const detail = (cause as { message?: string } | undefined)?.message;
  const text = [code, oauthError, message, detail].filter(Boolean).join(': ');
  return new SignInRefused(text, oauthError === 'access_denied');
}
