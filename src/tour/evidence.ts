import { type Step, type Tour, waitFor } from './tour.ts';

export const SIGNATURES: Step = {
  title: 'E-signatures: a signer, a field on the first page, and the signing link',
  async run(tour) {
    const id = tour.documentId;
    const { updateSignatureSession } = await tour.graph(
      'mutation ($id: ID!) { updateSignatureSession(input: { documentId: $id, recipients: [{ email: "ada@example.com", fullName: "Ada" }] }) { session { recipients { nodes { id } } } } }',
      { id },
    );
    const [signer] = updateSignatureSession.session.recipients.nodes;
    const { ID: form } = await tour.rest('GET', `documents/${id}/signatureForms`);
    await tour.rest('POST', `documents/${id}/signatureForms/${form}/fields`, [
      { Type: 'Signature', PageIndex: 0, X: 0.1, Y: 0.8, DocumentSignatureSessionRecipientID: signer.id },
    ]);
    await tour.rest('PUT', `documents/${id}/signatureSessionPackages`, [{ BeginSession: true }]);
    const { document } = await tour.graph(
      'query ($id: ID!) { document(id: $id) { signatureSession { state recipients { nodes { fullName state signingUrl } } } } }',
      { id },
    );
    const { state, recipients } = document.signatureSession;
    tour.require(state === 'ACTIVE', 'the session is active');
    const page = await tour.show(recipients.nodes[0].signingUrl, { anonymous: true });
    tour.require(page.includes('Ada'), 'the page of the signing link greets the signer, without an account');
    await showOutbox(tour);
  },
};

/** Without a mail server, the request to sign is on the page `/outbox`, where it arrives in the background. */
async function showOutbox(tour: Tour): Promise<void> {
  const query =
    'query ($id: ID!) { document(id: $id) { signatureSession { recipients { nodes { email delivery { state answer } } } } } }';
  const signer = await waitFor(async () => {
    const { document } = await tour.graph(query, { id: tour.documentId });
    const [each] = document.signatureSession.recipients.nodes;
    return /^(WAITING|SENDING)$/.test(each.delivery?.state) ? undefined : each;
  });
  tour.require(signer?.delivery, `the request to sign was mailed: ${signer?.delivery?.state}`);
  if (signer.delivery.state !== 'OUTBOX') return;
  const headers = { cookie: await tour.signIn() };
  const list = await tour.show('/outbox', { headers, anonymous: true });
  tour.require(list.includes('ada@example.com'), 'the outbox lists it, as there is no mail server');
  const [path = ''] = /\/outbox\/mal_\w+/.exec(list) ?? [];
  const text = await tour.show(path, { headers, anonymous: true });
  tour.require(text.includes('/sign/'), 'the mail has the link of the signer');
}

export const SEALED: Step = {
  title: 'A signed and sealed document (PAdES)',
  async run(tour) {
    const { project } = await tour.graph(
      'query ($project: ID!) { project(id: $project) { documents(first: 1, filter: { namePrefix: "Certificate of payment 2" }) { nodes { name signedAt downloadUrl signatureSession { sealing { state } } } } } }',
      { project: tour.demo.projectId },
    );
    const [{ downloadUrl, signatureSession }] = project.documents.nodes;
    tour.require(signatureSession.sealing.state === 'SEALED', 'the document is sealed');
    const pdf = await (await tour.send(downloadUrl, { anonymous: true })).text();
    tour.require(pdf.includes('ETSI.CAdES.detached'), 'its file has a PAdES signature');
  },
};

export const SEARCH: Step = {
  title: 'Search: one grammar for both APIs, also inside files and scans',
  async run(tour) {
    const search = (query: string) =>
      tour.graph(
        'query ($organization: ID!, $query: String!) { organization(id: $organization) { search(query: $query, first: 2) { totalCount nodes { kind node { ... on Document { name textStatus } } highlights { text page } } } } }',
        { organization: tour.demo.organizationId, query },
      );
    const { totalCount } = (await search('granit')).organization.search;
    tour.require(totalCount > 0, `“granit” is found ${totalCount} times, also as “granite”`);
    // The text of files is extracted in the background, after the first start.
    const inFiles = async () => (await search('text:weathering')).organization.search.totalCount;
    tour.require(await waitFor(inFiles), '“weathering” is found inside files');
    await tour.rest('GET', 'searchResults?keyword=granite');
    await tour.graph(
      'mutation ($organization: ID!) { createSearchTemplate(input: { organizationId: $organization, name: "Stone", query: "granite" }) { searchTemplate { id } } }',
      { organization: tour.demo.organizationId },
    );
    await tour.rest('GET', `/organizations/${tour.demo.organizationId}/searchTemplates`);
  },
};

export const EVENTS: Step = {
  title: 'Events without gaps, webhooks, and what a purge would delete',
  async run(tour) {
    const { organization } = await tour.graph(
      'query ($organization: ID!) { organization(id: $organization) { events(last: 3) { nodes { sequence kind createdBy { name } } } webhooks(first: 1) { nodes { url state deliveries(first: 2) { nodes { state } } } } } }',
      { organization: tour.demo.organizationId },
    );
    const numbers = organization.events.nodes.map((event: { sequence: string }) => Number(event.sequence));
    tour.require(numbers[2] - numbers[0] === 2, 'the numbers of the last events are consecutive');
    const { purgePlan } = await tour.graph(
      'query ($ids: [ID!]!) { purgePlan(ids: $ids) { purgeable obstacles revisionCount bytes } }',
      { ids: [tour.documentId] },
    );
    tour.require(purgePlan, 'a purge would say what it deletes');
  },
};

export const KEYS: Step = {
  title: 'A read-only API key, whose secret is shown once',
  async run(tour) {
    const { createApiKeys } = await tour.graph(
      'mutation { createApiKeys(input: { keys: [{ name: "report", scopes: [READ] }] }) { created { secret key { id scopes } } } }',
    );
    const [{ secret }] = createApiKeys.created;
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const body = JSON.stringify({
      query:
        'mutation { createOrganizations(input: { organizations: [{ name: "No" }] }) { organizations { id } } }',
    });
    const answer = await tour.show('/graphql', {
      method: 'POST',
      headers,
      body,
      anonymous: true,
      status: 403,
    });
    tour.require(answer.includes('INSUFFICIENT_SCOPE'), 'it cannot change anything');
  },
};
