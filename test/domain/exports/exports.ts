import { doNext } from '../../../src/jobs/work.ts';
import { jobContext } from '../../support/jobs.ts';
import { newDocuments } from '../../support/storage.ts';
import { newWorld, type Person, testApp } from '../../support/world.ts';

const EXPORT = `mutation ($input: ExportOrganizationInput!) {
  exportOrganization(input: $input) { organizationExport { id state url createdBy { id } } } }`;

const DELETE =
  'mutation ($input: DeleteOrganizationExportInput!) { deleteOrganizationExport(input: $input) { exportId } }';

const READ = `query ($id: ID!) { node(id: $id) { ... on OrganizationExport {
  id state size fileCount sequence tagManifestSha256 failure completedAt expiresAt url } } }`;

const LIST =
  'query ($id: ID!) { organization(id: $id) { exports(first: 10) { totalCount nodes { id state url } } } }';

export const startExport = (by: Person, organizationId: string) =>
  by.graph(EXPORT, { input: { organizationId } });

export const deleteExport = (by: Person, exportId: string) => by.graph(DELETE, { input: { exportId } });

/** The export as this person sees it; null if they do not. */
export const readExport = async (by: Person, id: string) => (await by.graph(READ, { id })).data.node;

export const listExports = async (by: Person, id: string) =>
  (await by.graph(LIST, { id })).data.organization.exports;

/** Writes the archives that are due. */
export async function runExports(): Promise<void> {
  const ctx = await jobContext();
  while (await doNext(ctx, 'export'));
}

/** Starts an export and returns its id. Throws where it is refused. */
export async function started(by: Person, organizationId: string): Promise<string> {
  const { data, errors } = await startExport(by, organizationId);
  if (errors) throw new Error(errors[0]?.message);
  return data.exportOrganization.organizationExport.id;
}

/** A new organization with two documents, and an export of it that is READY. */
export async function newExport() {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  const ctx = await owner.context();
  const documents = await newDocuments(ctx, project.id, [
    { name: 'Quay wall.txt', content: 'Granite from the north' },
    { name: 'Crane.bin', content: new Uint8Array(70_000).map((_, index) => index * 7) },
  ]);
  const id = await started(owner, organization.id);
  await runExports();
  const { url } = await readExport(owner, id);
  const app = await testApp(db);
  const download = (headers: Record<string, string> = {}, method = 'GET') =>
    app.request(new URL(url).pathname, { method, headers });
  return { ...world, ctx, documents, id, url: url as string, download };
}

export const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());
