import { randomBytes } from 'node:crypto';
import { formToken } from '../../auth/same-origin.ts';
import type { Session } from '../../auth/sign-in.ts';
import type { Context } from '../../domain/kernel/context.ts';
import { runStored, storedOperation } from '../../graph/http/execute.ts';
import { page } from '../ui/page.ts';
import { graphiqlAssets } from './assets.ts';
import { EXAMPLE_IDS_QUERY, type ExampleIds, examples } from './examples.ts';
import { Graphiql, graphiqlPolicy } from './view.tsx';

const exampleIds = storedOperation<ExampleIdsData, Record<string, never>>(EXAMPLE_IDS_QUERY);

interface ExampleIdsData {
  viewer: {
    organizations: {
      nodes: { projects: { nodes: { id: string; documents: { nodes: { id: string }[] } }[] } }[];
    };
  };
}

/** The GraphiQL page for a signed-in user; without a session, for use with an API key. */
export async function graphiql(signedIn?: { session: Session; ctx: Context }): Promise<Response> {
  const nonce = randomBytes(16).toString('base64url');
  const { version } = await graphiqlAssets();
  const content = Graphiql({
    files: `/graphql/assets/${version}`,
    nonce,
    tabs: examples(signedIn ? await findExampleIds(signedIn.ctx) : {}),
    viewer: signedIn && {
      userId: signedIn.session.viewer.userId,
      name: signedIn.session.viewer.name,
      formToken: formToken(signedIn.session.secret),
    },
  });
  return page(content, { policy: graphiqlPolicy(nonce) });
}

/** A project of the viewer with a document in it, if there is one. */
async function findExampleIds(ctx: Context): Promise<ExampleIds> {
  const { viewer } = await runStored(exampleIds, {}, ctx);
  const projects = viewer.organizations.nodes.flatMap((organization) => organization.projects.nodes);
  const best = projects.find(({ documents }) => documents.nodes.length > 0) ?? projects[0];
  return { projectId: best?.id, documentId: best?.documents.nodes[0]?.id };
}
