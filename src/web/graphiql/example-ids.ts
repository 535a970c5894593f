import type { Context } from '../../domain/kernel/context.ts';
import { runStored, storedOperation } from '../../graph/http/execute.ts';

/** Ids of the viewer's objects, so that examples run as they stand. */
export interface ExampleIds {
  organizationId?: string;
  projectId?: string;
  documentId?: string;
}

const operation = storedOperation<Data, Record<string, never>>(`query ExampleIds {
  viewer {
    organizations(first: 1) {
      nodes { id projects(first: 3) { nodes { id documents(first: 1) { nodes { id } } } } }
    }
  }
}`);

interface Data {
  viewer: {
    organizations: {
      nodes: { id: string; projects: { nodes: { id: string; documents: { nodes: { id: string }[] } }[] } }[];
    };
  };
}

/** An organization of the viewer, and a project with a document in it, if there is one. */
export async function findExampleIds(ctx: Context): Promise<ExampleIds> {
  const [organization] = (await runStored(operation, {}, ctx)).viewer.organizations.nodes;
  const projects = organization?.projects.nodes ?? [];
  const best = projects.find(({ documents }) => documents.nodes.length > 0) ?? projects[0];
  return {
    organizationId: organization?.id,
    projectId: best?.id,
    documentId: best?.documents.nodes[0]?.id,
  };
}
