import type { Step } from './tour.ts';

export const GRAPH: Step = {
  title: 'Ask the graph, from you down to the comments on a document',
  async run(tour) {
    const { viewer } =
      await tour.graph(`{ viewer { name organizations(first: 1) { nodes { name projects(first: 2) {
      nodes { name viewerRole documents(first: 2) { nodes { name pageCount folder { path } currentRevision { number sha256 }
      comments(first: 2) { nodes { text createdBy { name } } } } } } } } } } }`);
    const [organization] = viewer.organizations.nodes;
    const [project] = organization.projects.nodes;
    tour.require(project.documents.nodes.length === 2, `${project.name} has documents`);
    const { DocumentFolders } = await tour.rest('GET', 'documentFolders');
    tour.require(DocumentFolders.length > 0, 'REST v1 lists its folders');
  },
};

export const TASKS: Step = {
  title: 'Tasks: create one in the graph, complete it over REST v1',
  async run(tour) {
    const { createTasks } = await tour.graph(
      'mutation ($project: ID!) { createTasks(input: { projectId: $project, tasks: [{ name: "Look at the survey", dueAt: "2030-01-01T12:00:00Z" }] }) { tasks { id state } } }',
      { project: tour.demo.projectId },
    );
    const [{ id }] = createTasks.tasks;
    const { CompletedOn } = await tour.rest('POST', `tasks/${id}/actions/complete`, { Result: 'Looked at' });
    tour.require(CompletedOn, 'the task is completed');
    const { message } = await tour.rest('POST', `tasks/${id}/actions/complete`, undefined, 409);
    tour.require(/no longer open/.test(message), 'it cannot be completed twice (409)');
    const { task } = await tour.graph('query ($id: ID!) { task(id: $id) { name state result } }', { id });
    tour.require(task.state === 'COMPLETED' && task.result === 'Looked at', 'the graph has the result');
  },
};

export const APPROVALS: Step = {
  title: 'Approvals: what waits for you',
  async run(tour) {
    const { viewer } = await tour.graph(
      '{ viewer { approvals(first: 3) { nodes { id state process { name } step { name } } } } }',
    );
    const { Approvals } = await tour.rest('GET', 'approvals');
    tour.require(Approvals.length >= viewer.approvals.nodes.length, 'both APIs list them');
    const [pending] = Approvals;
    if (!pending) return;
    await tour.rest('POST', 'approvals/actions/approve', { IDs: [pending.ID] });
    const { Approvals: rest } = await tour.rest('GET', 'approvals');
    tour.require(
      !rest.some(({ ID }: { ID: string }) => ID === pending.ID),
      'an approved one waits no longer',
    );
  },
};

export const FIELDS: Step = {
  title: 'Fields and tags of documents',
  async run(tour) {
    const { project } = await tour.graph(
      'query ($project: ID!) { project(id: $project) { fields(first: 3) { nodes { name type } } tags(first: 3) { nodes { text } } } }',
      { project: tour.demo.projectId },
    );
    tour.require(project.tags.nodes.length > 0, 'the project has tags');
    await tour.rest('GET', 'tags');
  },
};

export const FORMS: Step = {
  title: 'Forms: in the graph, over REST v1, and by a public link without an account',
  async run(tour) {
    await tour.graph(
      'query ($project: ID!) { project(id: $project) { formTemplates(first: 1) { nodes { name state fields(first: 3) { nodes { required field { name type } } } } } } }',
      { project: tour.demo.projectId },
    );
    const { FormTemplates } = await tour.rest('GET', 'formTemplates');
    const [{ ID, UniqueID }] = FormTemplates;
    await tour.rest('GET', `formTemplates/${ID}/fields`);
    const csv = await tour.show(
      `/api/v1/organizations/${tour.demo.organizationId}/projects/${tour.demo.projectId}/formTemplates/${ID}/submissions.csv`,
    );
    tour.require(csv.includes(','), 'its submissions are a CSV file');
    await tour.show(`/api/v1/formTemplatesPublic/${ID}?uniqueId=${UniqueID}`, { anonymous: true });
    await tour.show(tour.demo.formUrl, { anonymous: true });
  },
};
