import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/id.ts';
import { newApp } from '../../support/browser.ts';
import { counted } from '../../support/database.ts';
import { newSealingDesk } from '../../support/sealing.ts';
import { newSigningWorld } from '../../support/signatures.ts';
import { joinProject, newMember } from '../../support/world.ts';
import { HOSTILE, visitorsOf } from './scene.ts';

async function scene() {
  const world = await newSigningWorld();
  const { db, owner, organization, project, stranger } = world;
  const visitorOf = visitorsOf(db, await newApp(db));
  const viewer = await newMember(db, organization.id, 'MEMBER');
  await joinProject(db, project, viewer, 'VIEWER');
  const as = {
    owner: await visitorOf(owner),
    viewer: await visitorOf(viewer),
    stranger: await visitorOf(stranger),
  };
  const list = `/console/${organization.id}/projects/${project.id}/signatures`;
  const sessionOf = (id: string) => db.prisma.signatureSession.findUniqueOrThrow({ where: { id } });
  return { ...world, as, viewer, list, sessionOf };
}

describe('the signatures of a project in the console', () => {
  it('are listed by state, with who has signed', async () => {
    const { as, list, draft, active, document } = await scene();
    const hostile = await document('Deed <script>.txt');
    const begun = await active([{ name: 'Ann' }, { name: 'Bea', rank: 2 }], {}, hostile);
    const drafted = await draft([{ name: 'Cyd' }]);
    const { text } = await as.owner.open(list);
    expect(text).toContain('Deed &lt;script&gt;.txt');
    expect(text).toMatch(/Ann<\/bdi> \(asked to sign\).*Bea<\/bdi> \(not their turn yet\)/s);
    const holds = async (state: string) => {
      const page = await as.owner.open(`${list}?state=${state}`);
      return [begun, drafted].map(({ sessionId }) => page.text.includes(`${list}/${sessionId}`));
    };
    expect([await holds('ACTIVE'), await holds('DRAFT'), await holds('STOPPED')]).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ]);
  });

  it('take as many statements for 20 as for 2', async () => {
    const { as, list, active } = await scene();
    const add = async (count: number) => {
      for (let more = 0; more < count; more++) await active([{ name: 'Ann' }, { name: 'Bea' }]);
    };
    const count = async () => (await counted(() => as.owner.open(list))).statements.length;
    await add(2);
    await count();
    const few = await count();
    await add(18);
    expect(await count()).toBe(few);
  });
});

describe('the page of a signing session in the console', () => {
  it('has each signer with what became of the request', async () => {
    const { as, list, active } = await scene();
    const { sessionId, documentId } = await active([{ name: 'Ann' }, { name: 'Bea', rank: 2 }]);
    const { text } = await as.owner.open(`${list}/${sessionId}`);
    for (const each of [
      'ann@signers.test',
      'Not their turn yet',
      'No reminder sent',
      'Send a new link',
      'Stop signing',
    ])
      expect(text).toContain(each);
    expect(text).toContain(`/documents/${documentId}"`);
    expect(text).not.toContain('Download the signed file');
  });

  it('sends a new link, and a reminder once a day has passed', async () => {
    const { as, list, active, signersOf, db } = await scene();
    const { sessionId } = await active([{ name: 'Ann' }]);
    const path = `${list}/${sessionId}`;
    const [ann] = await signersOf(sessionId);
    const signer = ann?.id as string;
    expect((await as.owner.open(path)).text).not.toContain('value="remind"');
    const early = await as.owner.submit(`${path}/signers`, { signer, do: 'remind' });
    expect([early.status, early.text.includes('Signers')]).toEqual([409, true]);
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    await db.prisma.signatureRecipient.update({
      where: { id: signer },
      data: { requestedAt: yesterday, mailedAt: yesterday },
    });
    expect((await as.owner.open(path)).text).toContain('value="remind"');
    const reminded = await as.owner.submit(`${path}/signers`, { signer, do: 'remind' });
    expect(reminded.headers.get('location')).toBe(`${path}?done=reminded`);
    const renewed = await as.owner.submit(`${path}/signers`, { signer, do: 'renew' });
    expect(renewed.headers.get('location')).toBe(`${path}?done=renewed`);
    expect((await signersOf(sessionId))[0]?.linkVersion).toBe((ann?.linkVersion as number) + 1);
  });

  it('is stopped after a confirmation', async () => {
    const { as, list, active, sessionOf } = await scene();
    const { sessionId } = await active([{ name: 'Ann' }]);
    const path = `${list}/${sessionId}`;
    const unsure = await as.owner.submit(`${path}/stop`);
    expect([unsure.status, unsure.text.includes('href="#confirm"')]).toEqual([422, true]);
    expect(await sessionOf(sessionId)).toMatchObject({ state: 'ACTIVE' });
    await as.owner.submit(`${path}/stop`, { confirm: 'yes' });
    expect(await sessionOf(sessionId)).toMatchObject({ state: 'STOPPED' });
    const { text } = await as.owner.open(path);
    expect(text).toContain('An editor of the project stopped it.');
    expect(text).not.toContain('Send a new link');
  });

  it('has the signed file', async () => {
    const desk = await newSealingDesk();
    const { db, owner, organization, project } = desk;
    const visitor = await visitorsOf(db, await newApp(db))(owner);
    const { sessionId } = await desk.signed(['Ann', HOSTILE]);
    const path = `/console/${organization.id}/projects/${project.id}/signatures/${sessionId}`;
    expect((await visitor.open(path)).text).toContain('It is being sealed.');
    await desk.seal(sessionId);
    const { text } = await visitor.open(path);
    expect(text).toMatch(/href="[^"]+">Download the signed file/);
    expect(text).not.toContain('<script>alert');
  });

  it('says why a file could not be sealed, and tries again', async () => {
    const desk = await newSealingDesk();
    const { db, owner, organization, project } = desk;
    const visitor = await visitorsOf(db, await newApp(db))(owner);
    const { sessionId } = await desk.signed();
    const data = {
      sealing: 'FAILED' as const,
      sealingError: 'The file is <b>damaged</b>.',
      sealingNextAt: null,
    };
    await db.prisma.signatureSession.update({ where: { id: sessionId }, data });
    const list = `/console/${organization.id}/projects/${project.id}/signatures`;
    expect((await visitor.open(list)).text).toContain('The file is &lt;b&gt;damaged&lt;/b&gt;.');
    const { text } = await visitor.open(`${list}/${sessionId}`);
    expect(text).toContain('It could not be sealed: The file is &lt;b&gt;damaged');
    const answer = await visitor.submit(`${list}/${sessionId}/sealing`);
    expect(answer.headers.get('location')).toBe(`${list}/${sessionId}?done=retried`);
    expect(await desk.sessionOf(sessionId)).toMatchObject({ sealing: 'PENDING' });
  });

  it('is read only by a viewer, and only where they see the document', async () => {
    const { as, viewer, db, organization, list, active, sessionOf } = await scene();
    const { sessionId, documentId } = await active([{ name: 'Ann' }]);
    await db.prisma.documentAssignment.create({
      data: { organizationId: organization.id, documentId, email: viewer.email },
    });
    const path = `${list}/${sessionId}`;
    const { status, text } = await as.viewer.open(path);
    expect([status, /Stop signing|Send a new link|Remind</.test(text)]).toEqual([200, false]);
    expect((await as.viewer.submit(`${path}/stop`, { confirm: 'yes' })).status).toBe(403);
    expect(await sessionOf(sessionId)).toMatchObject({ state: 'ACTIVE' });
  });

  it('is unknown to a stranger, and below another project or organization', async () => {
    const { as, organization, project, list, active, sessionOf } = await scene();
    const { sessionId } = await active([{ name: 'Ann' }]);
    for (const each of [list, `${list}/${sessionId}`])
      expect((await as.stranger.open(each)).status).toBe(404);
    expect((await as.stranger.submit(`${list}/${sessionId}/stop`, { confirm: 'yes' })).status).toBe(404);
    for (const each of [
      `/console/${organization.id}/projects/${newId('Project')}/signatures/${sessionId}`,
      `/console/${newId('Organization')}/projects/${project.id}/signatures/${sessionId}`,
    ])
      expect((await as.owner.open(each)).status).toBe(404);
    expect(await sessionOf(sessionId)).toMatchObject({ state: 'ACTIVE' });
  });
});
