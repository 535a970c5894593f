import { describe, expect, it } from 'vitest';
import { createTaskComments } from '../../../../src/domain/comments/comment.ts';
import { createFormTemplates } from '../../../../src/domain/forms/form-change.ts';
import { shareFormTemplates } from '../../../../src/domain/forms/form-share.ts';
import { updateProject } from '../../../../src/domain/membership/project-change.ts';
import { createTasks } from '../../../../src/domain/tasks/task-create.ts';
import { newDocuments } from '../../../support/storage.ts';
import { newMember, newWorld, type Person } from '../../../support/world.ts';

const SEARCH = `query ($id: ID!, $query: String, $filter: SearchFilter) { organization(id: $id) { search(query: $query, filter: $filter) {
  nodes { kind node { ... on Task { name } ... on FormTemplate { name } } highlights { part text } } facets { kinds { kind count } projects { project { name } } } } } }`;

async function setUp() {
  const world = await newWorld();
  const { owner, organization, project } = world;
  const ctx = await owner.context();
  const [document] = await newDocuments(ctx, project.id, [{ name: 'plan.pdf' }]);
  const [task] = await createTasks(ctx, {
    projectId: project.id,
    tasks: [
      {
        name: 'Paint the hull',
        description: 'Two coats of varnish',
        documentIds: [document?.id as string],
        assigneeEmail: owner.email,
      },
    ],
  });
  const [form] = await createFormTemplates(ctx, {
    projectId: project.id,
    formTemplates: [{ name: 'Berth request' }],
  });
  if (!task || !form) throw new Error('the fixture is not whole');
  const search = async (query: string, person: Person = owner, filter: object = {}) =>
    (await person.graph(SEARCH, { id: organization.id, query, filter })).data.organization.search;
  const names = async (...args: Parameters<typeof search>) =>
    (await search(...args)).nodes.map(({ node }: { node: { name: string } }) => node.name);
  return { ...world, ctx, task, form, search, names };
}

describe('a search', () => {
  it('finds tasks by name, description and comments, and forms by name', async () => {
    const { owner, ctx, task, names, search } = await setUp();
    expect(await names('hull')).toEqual(['Paint the hull']);
    expect(await names('varnish')).toEqual(['Paint the hull']);
    expect(await names('vranish')).toEqual(['Paint the hull']);
    expect(await names('berth')).toEqual(['Berth request']);
    await createTaskComments(ctx, { taskId: task.id, texts: ['weather permitting'] });
    expect(await names('hull permitting')).toEqual(['Paint the hull']);
    expect((await search('varnish')).nodes[0].highlights).toEqual([
      { part: 'VALUE', text: 'Two coats of varnish' },
    ]);
    expect(await names('', owner, { kind: 'TASK' })).toEqual(['Paint the hull']);
    expect(await names('', owner, { states: ['OPEN'] })).toEqual(['Paint the hull']);
    expect(await names('', owner, { states: ['COMPLETED'] })).toEqual([]);
    expect(await names('', owner, { states: ['PRIVATE'] })).toEqual(['Berth request']);
  });

  it('does not find invisible tasks and forms, and finds a shared form without its project', async () => {
    const { db, ctx, organization, project, form, search, names } = await setUp();
    await updateProject(ctx, { projectId: project.id, access: 'RESTRICTED' });
    const member = await newMember(db, organization.id, 'MEMBER');
    for (const query of ['hull', 'varnish', 'vranish', 'berth', ''])
      expect(await names(query, member)).toEqual([]);
    await shareFormTemplates(ctx, { formTemplateIds: [form.id], userEmails: [member.email] });
    expect(await names('berth', member)).toEqual(['Berth request']);
    expect((await search('berth', member)).facets).toEqual({
      kinds: [{ kind: 'FORM', count: 1 }],
      projects: [],
    });
  });

  it('finds them in REST v1', async () => {
    const { owner, organization, task, form } = await setUp();
    const get = async (query: string) =>
      (await owner.rest('GET', `/organizations/${organization.id}/searchResults?${query}`)).body;
    const tasks = await get('contentType=Task');
    expect(tasks.SearchResults).toMatchObject([
      {
        ID: task.id,
        ContentType: 'Task',
        TaskStateName: 'Open',
        Description: 'Two coats of varnish',
        AssignmentUserEmail: owner.email,
        CompletedOn: '0001-01-01T00:00:00Z',
        Result: '',
        PrimaryDocument: { Name: 'plan.pdf', TaskID: task.id },
      },
    ]);
    const forms = await get('contentType=forms&keyword=berth');
    expect(forms.SearchResults).toMatchObject([
      { ID: form.id, ContentType: 'Form', UniqueID: '', ProjectName: 'Quay' },
    ]);
  });
});
