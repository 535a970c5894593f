import { SCOPES } from '../../domain/kernel/scope.ts';
import { SCOPE_TEXTS } from '../../domain/kernel/scope-text.ts';

export const DESCRIPTION = `Send \`Authorization: Bearer <API key or access token>\` with every request. Reading requires the scope \`read\`, changing \`write\`, or the narrower scopes that each operation names. Most paths begin with an organization and one of its projects; an object is found only under its own organization and project.

**Success is exactly 200.** A response with any other status has a body with \`message\`, and the request changed nothing.

**Members** are in PascalCase in responses. In requests their case does not matter, and unknown members are ignored. A response contains every member: an unset string is \`""\`, a number \`0\`, a boolean \`false\`, a time \`0001-01-01T00:00:00Z\`. Times are RFC 3339 in UTC.

**Batches** are arrays, or \`{"IDs": […]}\`. Either the whole batch is executed or none of it. Responses have the same order.

**Lists** are paged. Send \`Cursor\` as the parameter \`cursor\` to get the next page. The last page has a cursor too, which leads to an empty page; stop at a page with fewer items than \`PageSize\`, or at an empty one.

**Retries.** Send a change with an \`Idempotency-Key\`, such as a UUID, and it is executed once, however often it is sent: a retry gets the first response again, also an error that resulted from the execution, with \`Idempotency-Replayed: true\`. Keys belong to the caller and are stored for 24 hours by default. While the first request is in progress, a retry gets 409 with \`Retry-After\`; a different request with the same key gets 409 too. A rejected request (400, 401, 403, 413, 429, 503) does not use the key. If the server stops after the execution but before the response, a retry gets 409 with a message that says so, and changes nothing.

**Conditional requests.** The \`ETag\` of an object identifies its version. Send it as \`If-Match\`, and the change is made only if the object still has that version; otherwise the status is 412. Without it the last change wins. Send it as \`If-None-Match\` with a GET, and an unchanged response has the status 304 and no body.

**Limits.** \`RateLimit\` has the number of requests that your credential has left, and the time until one more is available. Requests beyond the limit get 429 with \`Retry-After\`.`;

/** The security schemes: bearer credentials, OAuth 2.0 and public links. */
export const securitySchemes = (publicUrl: string): Record<string, object> => ({
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, or an access token of OAuth 2.0.',
  },
  oauth2: {
    type: 'oauth2',
    description:
      'Authorization code with PKCE (S256). Send the access token as a bearer token. Revoking a token at /oauth/revoke (RFC 7009 §2.1) revokes the access tokens and the refresh token of its authorization; an access token that a refresh has replaced is revoked alone. Other authorizations of the same user and application remain valid.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${publicUrl}/oauth/authorize`,
        tokenUrl: `${publicUrl}/oauth/token`,
        refreshUrl: `${publicUrl}/oauth/token`,
        scopes: Object.fromEntries(SCOPES.map((scope) => [scope, `${SCOPE_TEXTS[scope].text}.`])),
      },
    },
  },
  publicLink: {
    type: 'apiKey',
    in: 'query',
    name: 'uniqueId',
    description:
      'The secret of a public link, instead of a credential. It gives access to the object of the link only.',
  },
});
