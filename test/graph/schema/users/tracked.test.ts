import { expect, it } from 'vitest';
import { counted } from '../../../support/database.ts';
import { newDocuments } from '../../../support/storage.ts';
import { newMember, newWorld, type Person } from '../../../support/world.ts';

const CREATE = `mutation ($organizationId: ID!, $projectId: ID!, $documentId: ID!) {
  createSignatureFormTemplates(input: { projectId: $projectId, templates: [{ name: "One" }, { name: "Two" }] }) { templates { id } }
  createSearchTemplate(input: { organizationId: $organizationId, name: "Mine" }) { searchTemplate { id } }
  createClient(input: { organizationId: $organizationId, name: "Planner", kind: CONFIDENTIAL,
    redirectUris: ["https://app.example/cb"], scopes: [READ] }) { client { id } }
  ensureSignatureForm(input: { documentId: $documentId }) { form { id } }
  ensureSignatureSession(input: { documentId: $documentId }) { session { id } } }`;

const VERSIONED = '__typename ... on Versioned { version createdAt modifiedAt createdBy { id } }';
const TRACKED = `${VERSIONED} ... on Tracked { modifiedBy { id } }`;
const READ = `query ($organizationId: ID!, $projectId: ID!, $documentId: ID!) {
  organization(id: $organizationId) { searchTemplates { nodes { ${VERSIONED} } } clients { nodes { ${VERSIONED} } } }
  project(id: $projectId) { signatureFormTemplates { nodes { ${VERSIONED} } } }
  document(id: $documentId) { signatureForm { ${VERSIONED} } signatureSession { ${TRACKED} } } }`;

async function setUp() {
  const world = await newWorld();
  const { owner, organization, project } = world;
  const [document] = await newDocuments(await owner.context(), project.id, [{ name: 'a' }]);
  const variables = { organizationId: organization.id, projectId: project.id, documentId: document?.id };
  const { errors } = await owner.graph(CREATE, variables);
  expect(errors).toBeUndefined();
  const read = (person: Person) => person.graph(READ, variables);
  return { ...world, variables, read };
}

it('shows who created a row and its version by the same interface, whatever the type', async () => {
  const { owner, read } = await setUp();
  const { data } = await read(owner);
  const row = (__typename: string) => ({
    ...{ __typename, version: 1, createdAt: expect.any(String), modifiedAt: null },
    createdBy: { id: owner.id },
  });
  expect(data).toEqual({
    organization: {
      searchTemplates: { nodes: [row('SearchTemplate')] },
      clients: { nodes: [row('Client')] },
    },
    project: {
      signatureFormTemplates: { nodes: [row('SignatureFormTemplate'), row('SignatureFormTemplate')] },
    },
    document: {
      signatureForm: row('SignatureForm'),
      signatureSession: { ...row('SignatureSession'), modifiedBy: null },
    },
  });
});

it('reads the creators of a list with its rows', async () => {
  const { owner, variables } = await setUp();
  const { result, statements } = await counted(() =>
    owner.graph(
      `query ($projectId: ID!) { project(id: $projectId) { signatureFormTemplates { nodes { createdBy { id } } } } }`,
      { projectId: variables.projectId },
    ),
  );
  const each = { createdBy: { id: owner.id } };
  expect(result.data.project.signatureFormTemplates.nodes).toEqual([each, each]);
  // The credential; the project, and its templates.
  expect(statements).toHaveLength(3);
});

it('shows the saved searches of a person to nobody else, and nothing to a stranger', async () => {
  const { db, organization, stranger, read } = await setUp();
  const member = await newMember(db, organization.id, 'MEMBER');
  expect((await read(member)).data.organization.searchTemplates.nodes).toEqual([]);
  const { data, errors } = await read(stranger);
  expect(errors?.map(({ extensions }) => extensions.code)).toContain('NOT_FOUND');
  expect(data).toEqual({ organization: null, project: null, document: null });
});
