export const DESCRIPTION = `Every path takes \`Authorization: Bearer <API key or access token>\`; a query needs the scope \`read\`, a change \`write\`. Nearly every path begins with an organization, and most go on to a project of it; what a path names is found under its own organization and project only.

**Success is exactly 200.** Every other status has a body with \`message\`, and nothing was changed.

**Members** are in PascalCase in answers; in requests their case does not matter, and unknown ones are ignored. No member is left out of an answer: an unset text is \`""\`, a number \`0\`, a flag \`false\`, a time \`0001-01-01T00:00:00Z\`. Times are RFC 3339 in UTC.

**Batches** are arrays, or \`{"IDs": […]}\`; all of a batch is done or nothing. Answers keep its order.

**Lists** come in pages. Send \`Cursor\` back as \`cursor\` for the next one. The last page has a cursor too, which leads to an empty page; so you may stop at a page that is shorter than \`PageSize\`, or at one that is empty.

**Sending again.** Give a change an \`Idempotency-Key\` of your own, such as a UUID, and it is done once however often it arrives: the first answer, also a failure that came of doing it, comes again with \`Idempotency-Replayed: true\`. A key is yours alone, and kept for 24 hours unless this server is set otherwise. While the first request is under way the others answer 409 with \`Retry-After\`; so does another request under the same key. What was refused (400, 401, 403, 413, 429, 503) leaves the key unused. If the server stops between doing it and answering, a retry answers 409 and says so, and does nothing.

**Changing what you saw.** The \`ETag\` of one thing names its version: send it as \`If-Match\` and the change is made only while the thing is in that version, else there is a 412 and nothing is changed. Without it the last change wins. Sent as \`If-None-Match\`, it spares you an answer that you have (304).

**Limits.** \`RateLimit\` says how many requests are left to your credential and when there is one more; beyond them there is a 429 with \`Retry-After\`.`;

/** How a caller shows who they are. */
export const securitySchemes = (publicUrl: string): Record<string, object> => ({
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, or an access token of OAuth 2.0.',
  },
  oauth2: {
    type: 'oauth2',
    description:
      'Authorization code with PKCE (S256). The access token is sent as a bearer. Revoking a token at /oauth/revoke (RFC 7009 §2.1) ends the access tokens and the refresh token of the same authorization, whichever of them is sent; an access token that a refresh has replaced ends alone. Other authorizations of the same user and application go on.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${publicUrl}/oauth/authorize`,
        tokenUrl: `${publicUrl}/oauth/token`,
        refreshUrl: `${publicUrl}/oauth/token`,
        scopes: { read: 'Look at what the user sees.', write: 'Change what the user may change.' },
      },
    },
  },
  publicLink: {
    type: 'apiKey',
    in: 'query',
    name: 'uniqueId',
    description:
      'The secret of a public link. It takes the place of a credential, and opens what the link is for and nothing else.',
  },
});
