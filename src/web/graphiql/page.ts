import { randomBytes } from 'node:crypto';
import { formToken } from '../../auth/same-origin.ts';
import type { Session } from '../../auth/session.ts';
import type { Context } from '../../domain/kernel/context.ts';
import { page } from '../ui/page.ts';
import { graphiqlFolder } from './assets.ts';
import { findExampleIds } from './example-ids.ts';
import { preparedExamples } from './examples.ts';
import { Graphiql, graphiqlPolicy } from './view.tsx';

/** The GraphiQL page for a signed-in user; without a session, for use with an API key. */
export async function graphiql(signedIn?: { session: Session; ctx: Context }): Promise<Response> {
  const nonce = randomBytes(16).toString('base64url');
  const content = Graphiql({
    files: graphiqlFolder(),
    nonce,
    examples: preparedExamples(signedIn ? await findExampleIds(signedIn.ctx) : {}),
    viewer: signedIn && {
      userId: signedIn.session.viewer.userId,
      name: signedIn.session.viewer.name,
      formToken: formToken(signedIn.session.secret),
    },
  });
  return page(content, { policy: graphiqlPolicy(nonce) });
}
