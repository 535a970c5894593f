import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { createProjects } from '../../../src/domain/projects/project.ts';
import { sendDue } from '../../../src/jobs/webhook-sender.ts';
import { type Account, withPassword } from '../../support/browser.ts';
import { jobContext } from '../../support/jobs.ts';
import { ask } from '../../support/oauth.ts';
import { receiver } from '../../support/webhooks.ts';
import { joinProject, newMember, newWorld } from '../../support/world.ts';
import {
  authorizationUrl,
  type Credentials,
  calls,
  introspectionStatus,
  openApplicationSite,
  redeemCode,
} from './application.ts';
import { requestApproval } from './console-work.ts';
import { newPage, type Stage, signIn } from './stage.ts';

/** The owner of an application, and an organization whose member uses it. */
async function newScene(stage: Stage) {
  const world = await newWorld(stage.world.db);
  const { db, organization, project, owner } = world;
  const member = await withPassword(db, await newMember(db, organization.id, 'MEMBER'));
  await joinProject(db, project, member, 'EDITOR');
  const [other] = await createProjects(await owner.context(), {
    organizationId: organization.id,
    projects: [{ name: 'Another project' }],
  });
  return {
    ...world,
    member,
    otherProjectId: other?.id as string,
    itemId: await requestApproval(world, { approverId: member.id }),
    users: await withPassword(db, owner),
    publisher: await withPassword(db, world.stranger),
  };
}

type Scene = Awaited<ReturnType<typeof newScene>>;

/** A browser of a person, at the first page of the console. */
async function openConsole(stage: Stage, account: Account, organization: string) {
  const { page } = await newPage(stage);
  await signIn({ ...stage, account }, page, '/console');
  await page.getByRole('link', { name: organization, exact: true }).click();
  return page;
}

const follow = (page: Page, name: string) =>
  page.getByRole('main').getByRole('link', { name, exact: true }).click();

const choose = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name, exact: true }).click();

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** The secret that a page shows once. */
async function takeSecret(page: Page): Promise<string> {
  const secret = await page.locator('#secret').innerText();
  await follow(page, 'I have stored the secret');
  return secret;
}

async function register(page: Page, redirectUri: string): Promise<Credentials> {
  await choose(page, 'Applications');
  await follow(page, 'New application');
  await page.getByRole('textbox', { name: 'Name' }).fill('Berth planner');
  await page.getByLabel('Redirect addresses').fill(redirectUri);
  for (const scope of ['read', 'write'])
    await page.getByRole('checkbox', { name: new RegExp(`^${scope} `) }).check();
  await page.getByLabel('Home page').fill('https://planner.example/');
  await press(page, 'Register the application');
  const id = await page.locator('#client_id').innerText();
  return { id, secret: await takeSecret(page), redirectUri };
}

/** The member allows the application one project; returns the code that it is given. */
async function allowOneProject(stage: Stage, { member }: Scene, app: Credentials): Promise<string> {
  const { page } = await newPage(stage);
  await signIn({ ...stage, account: member }, page, '/console');
  await page.getByRole('link', { name: 'Harbor', exact: true }).waitFor();
  await page.goto(authorizationUrl(stage.origin, ask(app)));
  await page.getByRole('link', { name: 'planner.example' }).waitFor();
  await page.getByLabel('Only where I choose').check();
  await page.getByRole('checkbox', { name: 'Quay' }).check();
  await press(page, 'Allow');
  await page.getByText('Welcome back').waitFor();
  return new URL(page.url()).searchParams.get('code') ?? '';
}

/** The application uses both APIs, a deprecated path, and asks for a project that it was not allowed. */
async function useApis(stage: Stage, { organization, project, ...scene }: Scene, token: string) {
  const { graph, get, post } = calls(stage.origin, token);
  const { data } = await graph('{ viewer { organizations { nodes { projects { nodes { name } } } } } }');
  expect(data.viewer.organizations.nodes).toEqual([{ projects: { nodes: [{ name: 'Quay' }] } }]);
  const projects = `/organizations/${organization.id}/projects`;
  expect(await get(`${projects}/${project.id}`)).toBe(200);
  expect(await get(`${projects}/${scene.otherProjectId}`)).toBe(404);
  const approve = `${projects}/${project.id}/approvalActions/approve`;
  expect(await post(approve, { IDs: [scene.itemId] })).toBe(200);
  await stage.usage.write();
}

const DEPRECATED = 'POST /api/v1/organizations/{organizationId}/projects/{projectId}/approvalActions/approve';

async function seeUse(page: Page): Promise<void> {
  await choose(page, 'Use of the APIs');
  await page.getByText('4 requests · 1 refused or failed').waitFor();
  await page.getByText('Uses what is deprecated').waitFor();
  await page
    .getByRole('region', { name: 'Applications' })
    .getByRole('link', { name: 'Berth planner' })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Berth planner' }).waitFor();
  const part = (name: string) => page.getByRole('region', { name, exact: true });
  await part('Deprecated, and still used').getByText(DEPRECATED, { exact: true }).waitFor();
  await part('Why requests were refused or failed').getByText('NOT_FOUND').waitFor();
}

/** Returns the second secret. */
async function makeSecondSecret(page: Page): Promise<string> {
  await choose(page, 'Applications');
  await follow(page, 'Berth planner');
  await press(page, 'Make a new secret');
  return takeSecret(page);
}

/** An event that a receiver refuses is seen, and sent again by a click. */
async function repeatDelivery(page: Page, stage: Stage, organizationId: string): Promise<void> {
  let status = 500;
  const { url, received } = await receiver((response) => {
    response.statusCode = status;
    response.end(`Answer ${status}`);
  });
  const send = async () => sendDue(await jobContext(stage.world.db), [organizationId]);
  await choose(page, 'Webhooks');
  await follow(page, 'New webhook');
  await page.getByLabel('Address').fill(url);
  await page.getByLabel('Kinds of events').fill('organization.updated');
  await press(page, 'Create the webhook');
  await page.locator('#secret').waitFor();
  await choose(page, 'Settings');
  await page.getByLabel('Name of the organization').fill('Elsewhere and further');
  await press(page, 'Change the name');
  await send();
  await choose(page, 'Webhooks');
  await follow(page, url);
  await page
    .getByRole('main')
    .getByRole('link', { name: /^organization\.updated/ })
    .click();
  await page.getByText('Status 500', { exact: true }).waitFor();
  await page.getByText('Answer', { exact: true }).click();
  await page.getByText('Answer 500').waitFor();
  status = 200;
  await press(page, 'Send it again');
  await send();
  await page.reload();
  await page.getByText('Status 200', { exact: true }).waitFor();
  await page.getByText('Delivered', { exact: true }).waitFor();
  expect(received).toHaveLength(2);
}

/** The owner of the organization whose member uses the application revokes it. */
async function revoke(stage: Stage, { users }: Scene): Promise<void> {
  const page = await openConsole(stage, users, 'Harbor');
  await choose(page, 'Applications of others');
  await follow(page, 'Berth planner');
  await page.getByLabel('End what 1 member allows it').check();
  await press(page, 'Revoke');
  await page.getByText('No member allows it.').waitFor();
}

/** The next requests of a token whose one organization revoked the application. */
async function seeNothing(stage: Stage, { organization, project }: Scene, token: string): Promise<void> {
  const { graph, get } = calls(stage.origin, token);
  expect(await get(`/organizations/${organization.id}/projects/${project.id}`)).toBe(404);
  const { data } = await graph('{ viewer { organizations { nodes { id } } } }');
  expect(data.viewer.organizations.nodes).toEqual([]);
}

export function applicationJourney(stageOf: () => Stage): void {
  it('is registered, allowed for one project, observed, given a second secret and a webhook, and revoked, by clicks', async () => {
    const stage = stageOf();
    const scene = await newScene(stage);
    const page = await openConsole(stage, scene.publisher, 'Elsewhere');
    const site = await openApplicationSite();
    onTestFinished(() => site.close());
    const app = await register(page, site.redirectUri);
    const token = await redeemCode(stage.origin, app, await allowOneProject(stage, scene, app));
    await useApis(stage, scene, token);
    await seeUse(page);
    const second = await makeSecondSecret(page);
    expect(second).not.toBe(app.secret);
    for (const secret of [app.secret, second])
      expect(await introspectionStatus(stage.origin, { ...app, secret }, token)).toBe(200);
    const { organizationId } = await scene.db.prisma.membership.findFirstOrThrow({
      where: { userId: scene.publisher.id },
    });
    await repeatDelivery(page, stage, organizationId);
    await revoke(stage, scene);
    await seeNothing(stage, scene, token);
  });
}
