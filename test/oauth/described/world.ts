import { appOn, ask, browser, ISSUER, newOAuthWorld, post, signedIn, VERIFIER } from '../../support/oauth.ts';
import type { documentServer } from '../../support/servers/document-server.ts';

export const CALLBACK = 'https://agent.example/callback';

/** The parameters of a request for `/mcp` by the application that a document describes. */
export const askFor = (url: string, more: Record<string, string | undefined> = {}) =>
  ask(
    { id: url, redirectUri: CALLBACK },
    { scope: 'documents:read tasks:write', resource: `${ISSUER}/mcp`, ...more },
  );

/** A world whose server reads documents of the test's server, with its owner and its stranger at browsers. */
export async function describedWorld({ exceptions }: Awaited<ReturnType<typeof documentServer>>) {
  const world = await newOAuthWorld();
  const { db, owner, stranger } = world;
  const app = await appOn(db, { authorizeRequests: 0 }, { documentExceptions: exceptions });
  const browserOf = async (userId: string) => browser(app, await signedIn(db, userId));
  const redeem = (url: string, code: string) =>
    post(app, '/oauth/token', {
      ...{ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER },
      client_id: url,
    });
  const user = await browserOf(owner.id);
  return {
    ...{ ...world, app, browserOf, user, redeem, other: await browserOf(stranger.id) },
    visitor: browser(app),
    tokensOf: async (url: string, by = user) => (await redeem(url, await by.code(askFor(url)))).body,
    /** The status of a request to `/mcp`. */
    async mcp(token: string) {
      const { status } = await app.request('/mcp', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      });
      return status;
    },
    /** What is stored of a document is from now on too old. */
    expire: (url: string) =>
      db.prisma.client.update({ where: { metadataUrl: url }, data: { metadataExpiresAt: new Date(0) } }),
    stored: (url: string) => db.prisma.client.findUnique({ where: { metadataUrl: url } }),
  };
}
