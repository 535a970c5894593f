import { beforeEach, describe, expect, it } from 'vitest';
import { findWebhooks } from '../../../src/domain/webhooks/webhook.ts';
import { sendDue } from '../../../src/jobs/webhook-sender.ts';
import { dropJobs, jobContext } from '../../support/jobs.ts';
import { happen, hooksFor, receiver } from '../../support/webhooks.ts';
import { joinProject } from '../../support/world.ts';
import { newLimitedWorld } from './limited.ts';

beforeEach(dropJobs);

const limited = async () => {
  const world = await newLimitedWorld();
  const { access_token } = await world.limitedTokens({ projects: [world.projects.first] });
  return { ...world, application: await world.as(access_token) };
};

const codes = ({ errors }: { errors?: readonly { extensions?: { code?: unknown } }[] }) =>
  errors?.map(({ extensions }) => extensions?.code) ?? [];

describe('an application that is limited to another organization', () => {
  it('neither sees nor changes a project of which its user is a member', async () => {
    const { db, owner, organization, other, projects, documents, limitedTokens, as } =
      await newLimitedWorld();
    const project = { organizationId: organization.id, id: projects.first, createdById: owner.id };
    await db.prisma.projectMember.deleteMany({ where: { projectId: projects.first } });
    await joinProject(db, project, owner, 'EDITOR');
    const application = await as((await limitedTokens({ organizations: [other.id] })).access_token);
    const { data } = await application.graph(
      'query ($project: ID!, $document: ID!) { project: node(id: $project) { id } document: node(id: $document) { id } }',
      { project: projects.first, document: documents.inFirst },
    );
    expect(data).toEqual({ project: null, document: null });
    const created = await application.graph(
      'mutation ($input: CreateTasksInput!) { createTasks(input: $input) { __typename } }',
      { input: { projectId: projects.first, tasks: [{ name: 'Sweep' }] } },
    );
    expect(codes(created)).toEqual(['NOT_FOUND']);
  });
});

describe('an application that is limited to one project', () => {
  it('has the rights of its user in the project', async () => {
    const { application, projects, documents } = await limited();
    const { data, errors } = await application.graph(
      `mutation ($comment: CreateCommentsInput!, $project: UpdateProjectInput!) {
        createComments(input: $comment) { __typename } updateProject(input: $project) { project { name viewerRole } } }`,
      {
        comment: { documentId: documents.inFirst, texts: ['Seen.'] },
        project: { projectId: projects.first, name: 'Renamed' },
      },
    );
    expect(errors).toBeUndefined();
    expect(data.updateProject.project).toEqual({ name: 'Renamed', viewerRole: 'ADMIN' });
  });

  it('finds nothing else in lists, counts, search and by id', async () => {
    const { application, documents, organization } = await limited();
    const { data, errors } = await application.graph(
      `query ($organizationId: ID!, $inside: ID!, $outside: ID!) {
        inside: node(id: $inside) { id } outside: node(id: $outside) { id }
        viewer { documents { totalCount nodes { id } } }
        organization(id: $organizationId) {
          viewerRole
          search(query: "quay") { totalCount nodes { node { __typename id } } }
          groups { totalCount } members { totalCount } projects { totalCount nodes { documents { totalCount } } } } }`,
      { organizationId: organization.id, inside: documents.inFirst, outside: documents.inSecond },
    );
    expect(codes({ errors })).toEqual(['NOT_FOUND']);
    expect(data).toMatchObject({
      inside: { id: documents.inFirst },
      outside: null,
      viewer: { documents: { totalCount: 1, nodes: [{ id: documents.inFirst }] } },
      organization: {
        viewerRole: 'GUEST',
        search: { totalCount: 1, nodes: [{ node: { __typename: 'Document', id: documents.inFirst } }] },
        ...{ groups: { totalCount: 0 }, members: { totalCount: 1 } },
        projects: { totalCount: 1, nodes: [{ documents: { totalCount: 1 } }] },
      },
    });
  });

  it.each([
    ['creates no project', 'createProjects', { projects: [{ name: 'New' }] }],
    [
      'creates no webhook',
      'createWebhooks',
      { webhooks: [{ url: 'https://hooks.example/', query: '{ __typename }' }] },
    ],
    ['does not change the organization', 'updateOrganization', { name: 'Mine' }],
  ])('%s', async (_, name, input) => {
    const { application, organization } = await limited();
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    const answer = await application.graph(
      `mutation ($input: ${type}!) { ${name}(input: $input) { __typename } }`,
      {
        input: { organizationId: organization.id, ...input },
      },
    );
    expect(codes(answer)).not.toEqual([]);
    expect(codes(answer).every((code) => code === 'FORBIDDEN' || code === 'NOT_FOUND')).toBe(true);
  });

  it('is answered by REST v1 as if the other project did not exist', async () => {
    const { application, organization, projects } = await limited();
    const of = (id: string) => application.rest('GET', `/organizations/${organization.id}/projects/${id}`);
    expect([(await of(projects.first)).status, (await of(projects.second)).status]).toEqual([200, 404]);
    const list = await application.rest('GET', `/organizations/${organization.id}/projects`);
    expect(JSON.stringify(list.body)).toContain(projects.first);
    expect(JSON.stringify(list.body)).not.toContain(projects.second);
  });

  it('reads no events of the other project', async () => {
    const { application, organization, projects, owner } = await limited();
    await owner.graph(
      'mutation ($input: UpdateProjectInput!) { updateProject(input: $input) { __typename } }',
      {
        input: { projectId: projects.second, name: 'Secret' },
      },
    );
    const { data } = await application.graph(
      'query ($id: ID!) { organization(id: $id) { events(first: 50) { nodes { kind projectId } } } }',
      { id: organization.id },
    );
    const seen = data.organization.events.nodes.map(
      ({ projectId }: { projectId: string | null }) => projectId,
    );
    expect(seen).toContain(projects.first);
    expect(seen).not.toContain(projects.second);
  });
});

describe('a webhook of an application', () => {
  it('is suspended before its next delivery once its user limits the application to a project', async () => {
    const world = await newLimitedWorld();
    const { organization, owner } = world;
    const { access_token } = await world.limitedTokens({ organizations: [organization.id] });
    const { url, received } = await receiver();
    const [id] = await hooksFor(await (await world.as(access_token)).context(), organization.id, [url]);
    await world.choose(await world.consentPage(), { projects: [world.projects.first] });
    await happen(owner, organization.id);
    await sendDue(await jobContext(), [organization.id]);
    const [hook] = await findWebhooks(await owner.context(), [id as string]);
    expect([received, hook?.state]).toEqual([[], 'SUSPENDED']);
  });
});
