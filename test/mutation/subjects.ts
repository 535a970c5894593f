export interface Subject {
  /** Below src/. */
  modules: string[];
  /** Below test/: few, so that a mutant takes seconds. */
  tests: string[];
}

/** What guards the house, and the tests that have to notice when it is changed. */
export const SUBJECTS: Record<string, Subject> = {
  addresses: {
    modules: ['auth/client-address', 'auth/return-to', 'auth/same-origin'],
    tests: ['auth/addresses', 'auth/same-origin'],
  },
  passwords: {
    modules: ['auth/password', 'domain/access-code'],
    tests: ['auth/password', 'domain/access-code'],
  },
  tries: { modules: ['auth/tries'], tests: ['auth/tries'] },
  limits: { modules: ['auth/rate-limit'], tests: ['auth/rate-limit'] },
  signIns: { modules: ['auth/sign-in', 'auth/session-cookie'], tests: ['auth/sign-in', 'browser/door'] },
  bearers: {
    modules: ['auth/bearer', 'auth/api-key', 'domain/token-state', 'oauth/challenge'],
    tests: ['auth/bearer', 'auth/sign-in', 'oauth/access-token', 'oauth/access-jwt', 'oauth/token-state'],
  },
  tokens: {
    modules: ['domain/token-redeem', 'domain/token', 'domain/grant-end', 'oauth/token', 'oauth/client-auth'],
    tests: ['oauth/token', 'oauth/client-auth', 'oauth/malformed-forms', 'oauth/refresh', 'oauth/access-jwt'],
  },
  rotation: { modules: ['domain/token-refresh'], tests: ['oauth/refresh'] },
  signedTokens: { modules: ['domain/access-jwt'], tests: ['domain/access-jwt'] },
  scopes: { modules: ['oauth/scope', 'graph/scope'], tests: ['oauth/scope', 'graph/scope'] },
  requests: {
    modules: ['oauth/parameters', 'oauth/redirect'],
    tests: ['oauth/parameters', 'oauth/redirect'],
  },
  redirects: { modules: ['domain/redirect-uri'], tests: ['domain/redirect-uri'] },
  secrets: {
    modules: ['lib/secret', 'lib/seal', 'lib/cursor', 'storage/link-secret', 'storage/signed-address'],
    tests: ['lib/secret', 'lib/seal', 'lib/cursor', 'storage/link-secret', 'storage/signed-address'],
  },
  audit: {
    modules: ['domain/audit', 'domain/audit-verify', 'domain/audit-walk'],
    tests: ['domain/audit', 'domain/audit-walk'],
  },
};
