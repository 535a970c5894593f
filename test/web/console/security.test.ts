import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/id.ts';
import { newClient } from '../../support/oauth.ts';
import { newScene, withoutRequestId } from './scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;
let page: string;

beforeAll(async () => {
  scene = await newScene();
  page = `${scene.path}/security`;
});

describe('security events of an organization in the console', () => {
  it('are those that change who can get in, for owners and admins', async () => {
    const { as, owner, admin, organization } = scene;
    await newClient(owner, organization.id, { name: 'Planner' });
    const rename =
      'mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { __typename } }';
    await admin.graph(rename, {
      input: { organizationId: organization.id, applicationPolicy: 'APPROVED_ONLY' },
    });
    for (const person of [as.owner, as.admin]) {
      const { status, text } = await person.open(page);
      expect(status).toBe(200);
      for (const each of ['client.created', 'organization.updated', 'organization.created', 'APPROVED_ONLY'])
        expect(text).toContain(each);
      expect(text).not.toContain('project.created');
    }
  });

  it('are for nobody else', async () => {
    const { as, organization } = scene;
    expect((await as.member.open(page)).status).toBe(403);
    expect((await as.member.open(scene.path)).text).not.toContain(page);
    const unknown = page.replace(organization.id, newId('Organization'));
    const answers = [await as.stranger.open(page), await as.stranger.open(unknown)];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(withoutRequestId(answers[0] as never)).toEqual(withoutRequestId(answers[1] as never));
  });

  it('are shown page by page', async () => {
    const { as, admin, organization } = scene;
    const rename =
      'mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { __typename } }';
    for (let index = 0; index < 55; index++)
      await admin.graph(rename, { input: { organizationId: organization.id, name: `Harbor ${index}` } });
    const first = await as.owner.open(page);
    const next = /href="([^"]*after=[^"]*)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? 'none';
    const second = await as.owner.open(next);
    expect([
      first.text.includes('organization.created'),
      second.text.includes('organization.created'),
    ]).toEqual([false, true]);
  });
});
