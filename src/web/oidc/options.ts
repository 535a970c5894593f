import type { Context as Call } from 'hono';
import type { IdentityProvider } from '../../auth/oidc/identity-provider.ts';
import type { RateLimiter } from '../../auth/rate-limiter.ts';
import type { SessionCookie } from '../../auth/session-cookie.ts';
import type { SignInService } from '../../auth/sign-in.ts';
import type { FinishOptions } from '../sign-in/finish.ts';
import type { ErrorReporting } from '../ui/error-page.ts';

/** The rules for people who sign in with the identity provider. */
interface ProviderRules {
  /** The provider's name for people. */
  name: string;
  /** Domains of addresses that may sign in; undefined for any. */
  domains: readonly string[] | undefined;
  /** Whether an address that the provider calls verified counts as proved. */
  trustsEmail: boolean;
  /** Who gets an account at the first sign-in. */
  signUp: 'invited' | 'open';
  /** Whether the second factor of the account is asked for as well. */
  asksSecondFactor: boolean;
}

export interface OidcOptions extends FinishOptions, ErrorReporting {
  signIns: SignInService;
  provider: IdentityProvider;
  rules: ProviderRules;
  /** Whether the server creates accounts at all. */
  createsAccounts: boolean;
  sendsMail: boolean;
  /** Of a sign-in at the provider. */
  oidcCookie: SessionCookie;
  /** Of an hour. */
  rateLimiter: RateLimiter;
  ownOrigins: (call: Call) => string[];
  /** Logs why an answer of the provider was refused. */
  warn: (reason: string, requestId: string) => void;
}
