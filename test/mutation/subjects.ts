export interface Subject {
  /** Below src/. */
  modules: string[];
  /** Below test/: few files, so that a mutant takes seconds. */
  tests: string[];
}

/** Security-relevant modules, and the tests that must detect a change of them. */
export const SUBJECTS: Record<string, Subject> = {
  addresses: {
    modules: ['auth/client-address', 'auth/return-to', 'auth/same-origin'],
    tests: ['auth/addresses', 'auth/same-origin'],
  },
  passwords: {
    modules: ['auth/password', 'domain/signatures/access-code'],
    tests: ['auth/password', 'domain/signatures/access-code'],
  },
  rateLimiter: { modules: ['auth/rate-limiter'], tests: ['auth/rate-limiter'] },
  limits: { modules: ['http/rate-limit'], tests: ['http/rate-limit'] },
  signIns: { modules: ['auth/sign-in', 'auth/session-cookie'], tests: ['auth/sign-in', 'web/pages'] },
  bearers: {
    modules: ['auth/bearer', 'auth/api-key', 'domain/oauth/token-state', 'oauth/challenge'],
    tests: ['auth/bearer', 'auth/sign-in', 'oauth/access-token', 'oauth/access-jwt', 'oauth/token-state'],
  },
  tokens: {
    modules: [
      'domain/oauth/token-redeem',
      'domain/oauth/token',
      'domain/oauth/grant-end',
      'oauth/token',
      'oauth/client-auth',
    ],
    tests: ['oauth/token', 'oauth/client-auth', 'oauth/malformed/forms', 'oauth/refresh', 'oauth/access-jwt'],
  },
  rotation: { modules: ['domain/oauth/token-refresh'], tests: ['oauth/refresh'] },
  signedTokens: { modules: ['domain/oauth/access-jwt'], tests: ['domain/oauth/access-jwt'] },
  scopes: {
    modules: ['oauth/request/scope', 'graph/operations/scope'],
    tests: ['oauth/scope', 'graph/operations/scope'],
  },
  requests: {
    modules: ['oauth/parameters', 'oauth/redirect'],
    tests: ['oauth/parameters', 'oauth/redirect'],
  },
  redirects: { modules: ['domain/oauth/redirect-uri'], tests: ['domain/oauth/redirect-uri'] },
  secrets: {
    modules: [
      'lib/secret',
      'lib/seal',
      'lib/cursor',
      'files/transfer/link-secret',
      'files/transfer/signed-url',
    ],
    tests: [
      'lib/secret',
      'lib/seal',
      'lib/cursor',
      'files/transfer/link-secret',
      'files/transfer/signed-url',
    ],
  },
  audit: {
    modules: ['domain/kernel/audit', 'domain/events/audit-verify', 'domain/events/audit-walk'],
    tests: ['domain/kernel/audit', 'domain/events/audit-walk'],
  },
};
