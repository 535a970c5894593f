import { beforeAll, describe, expect, it } from 'vitest';
import type { MailState } from '../../../src/generated/prisma/client.ts';
import { newId } from '../../../src/lib/id.ts';
import { HOSTILE, newScene, withoutRequestId } from './scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;

beforeAll(async () => {
  scene = await newScene();
});

/** The mail of an invitation, in this state. */
async function mailIn(state: MailState, answer?: string): Promise<{ id: string; to: string }> {
  const { as, path, db, organization } = scene;
  const email = `m${newId('Mail').slice(-8)}@example.test`;
  await as.owner.submit(`${path}/people/invite`, { email, role: 'MEMBER' });
  const { id } = await db.prisma.mail.findFirstOrThrow({
    where: { toEmail: email, organizationId: organization.id },
  });
  const hasEnded = state !== 'WAITING' && state !== 'SENDING';
  await db.prisma.mail.update({
    where: { id },
    data: { state, answer, endedAt: hasEnded ? new Date() : null },
  });
  return { id, to: email };
}

describe('the mails of an organization in the console', () => {
  it('are listed with what became of them, and by that', async () => {
    const { as, path } = scene;
    const refused = await mailIn('REFUSED', `550 no such mailbox ${HOSTILE}`);
    const sent = await mailIn('SENT');
    const all = await as.admin.open(`${path}/mails`);
    expect(all.status).toBe(200);
    for (const part of [
      refused.to,
      sent.to,
      'Refused by the mail server',
      '550 no such mailbox',
      'Accepted by the mail server',
    ])
      expect(all.text).toContain(part);
    expect(all.text).not.toContain(HOSTILE);
    const unsent = (await as.admin.open(`${path}/mails?only=unsent`)).text;
    expect([unsent.includes(refused.to), unsent.includes(sent.to)]).toEqual([true, false]);
    const handed = (await as.admin.open(`${path}/mails?only=sent`)).text;
    expect([handed.includes(refused.to), handed.includes(sent.to)]).toEqual([false, true]);
  });

  it('are sent again where they were not', async () => {
    const { as, path, db } = scene;
    const { id } = await mailIn('GIVEN_UP');
    expect((await as.owner.open(`${path}/mails?only=unsent`)).text).toContain(`value="${id}"`);
    const answer = await as.owner.submit(`${path}/mails/retry`, { mail: id });
    expect(answer.headers.get('location')).toBe(`${path}/mails?done=queued`);
    expect(await db.prisma.mail.findUnique({ where: { id } })).toMatchObject({ state: 'WAITING' });
    const again = await as.owner.submit(`${path}/mails/retry`, { mail: id });
    expect([again.status, again.text.includes('The mail was sent, or is still to be sent.')]).toEqual([
      409,
      true,
    ]);
  });

  it('are for owners and admins; a stranger sees what does not exist', async () => {
    const { as, path } = scene;
    const { id } = await mailIn('GIVEN_UP');
    expect((await as.member.open(`${path}/mails`)).status).toBe(403);
    expect((await as.member.submit(`${path}/mails/retry`, { mail: id })).status).toBe(403);
    expect(withoutRequestId(await as.stranger.open(`${path}/mails`))).toEqual(
      withoutRequestId(await as.stranger.open(`/console/${newId('Organization')}/mails`)),
    );
  });
});

describe('the storage of an organization in the console', () => {
  it('is shown to owners and admins', async () => {
    const { as, path } = scene;
    const { status, text } = await as.admin.open(`${path}/storage`);
    expect(status).toBe(200);
    expect(text).toContain('In recycle bins');
    expect((await as.member.open(`${path}/storage`)).status).toBe(403);
    expect((await as.stranger.open(`${path}/storage`)).status).toBe(404);
  });
});
