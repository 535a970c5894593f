import { describe, expect, it } from 'vitest';
import { ask, newClient } from '../../support/oauth.ts';
import { newMember } from '../../support/world.ts';
import { newPresentedWorld, refusal } from './presented.ts';

const HOME = 'https://planner.example/about';
const PRIVACY = 'https://privacy.planner.example:8443/';

describe('the pages of an application', () => {
  it('are given at its creation, changed and removed, with an event that has both values', async () => {
    const { db, owner, organization, updated, stored, confidential } = await newPresentedWorld();
    const { id } = await newClient(owner, organization.id, { homePageUrl: HOME, privacyUrl: '' });
    expect(await db.prisma.client.findUnique({ where: { id } })).toMatchObject({
      homePageUrl: HOME,
      privacyUrl: null,
    });
    expect(await updated({ homePageUrl: HOME, privacyUrl: PRIVACY })).toMatchObject({
      homePageUrl: HOME,
      privacyUrl: PRIVACY,
      version: 2,
    });
    await updated({ name: 'Other', homePageUrl: null });
    expect(await stored()).toMatchObject({ homePageUrl: HOME, privacyUrl: PRIVACY });
    await updated({ homePageUrl: '', privacyUrl: '' });
    expect(await stored()).toMatchObject({ homePageUrl: null, privacyUrl: null });
    const last = await db.prisma.event.findFirst({
      where: { subjectId: confidential.id },
      orderBy: { sequence: 'desc' },
    });
    expect(last).toMatchObject({
      kind: 'client.updated',
      data: {
        before: { homePageUrl: HOME, privacyUrl: PRIVACY },
        after: { homePageUrl: null, privacyUrl: null },
      },
    });
  });

  it.each([
    'http://planner.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    '//planner.example/',
    'planner.example',
    'https://bank.example@evil.example/',
    'https://bank.example:pw@evil.example/',
    'https://@evil.example/',
    'https:evil.example',
    'https:///evil.example',
    'https:\\\\evil.example',
    'https://Bank.example/',
    'https://bank.example/a b',
    'https://bänk.example/',
    'https://ev%69l.example/',
    'https://',
    ' https://planner.example/',
    'https://planner.example/\u202Egnp',
    `https://planner.example/${'a'.repeat(280)}`,
  ])('are refused as %j, and nothing is changed', async (url) => {
    const { owner, organization, update, stored } = await newPresentedWorld();
    for (const member of ['homePageUrl', 'privacyUrl']) {
      expect(refusal(await update({ name: 'Other', [member]: url }))).toEqual(['BAD_USER_INPUT', member]);
      await expect(newClient(owner, organization.id, { [member]: url })).rejects.toThrow(member);
    }
    expect(await stored()).toMatchObject({ name: 'Planner', homePageUrl: null, version: 1 });
  });

  it('are changed by admins in person, and by nobody else', async () => {
    const { db, owner, stranger, organization, update, stored, tokens } = await newPresentedWorld();
    const application = await owner.with((await tokens()).access_token);
    for (const [person, code] of [
      [await newMember(db, organization.id, 'MEMBER'), 'FORBIDDEN'],
      [application, 'FORBIDDEN'],
      [await newMember(db, organization.id, 'GUEST'), 'NOT_FOUND'],
      [stranger, 'NOT_FOUND'],
    ] as const)
      expect(refusal(await update({ homePageUrl: HOME }, person))?.[0]).toBe(code);
    expect(await stored()).toMatchObject({ homePageUrl: null });
    const admin = await newMember(db, organization.id, 'ADMIN');
    expect((await update({ homePageUrl: HOME }, admin)).errors).toBeUndefined();
  });

  it('are linked on the consent page, with their host as text, and escaped', async () => {
    const { user, confidential, updated } = await newPresentedWorld();
    await updated({ homePageUrl: 'https://planner.example/?a=(1)&b=%22', privacyUrl: PRIVACY });
    const html = await (await user.authorize(ask(confidential))).text();
    const links = [...html.matchAll(/<a href="([^"]*)" target="_blank" rel="noreferrer noopener">([^<]*)</g)];
    expect(links.map(([, href, text]) => [href, text])).toEqual([
      ['https://planner.example/?a=(1)&amp;b=%22', 'planner.example'],
      [PRIVACY, 'privacy.planner.example:8443'],
    ]);
  });
});
