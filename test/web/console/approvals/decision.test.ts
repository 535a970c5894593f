import { describe, expect, it } from 'vitest';
import { startProcess } from '../../../../src/domain/approvals/process-start.ts';
import { newMember } from '../../../support/world.ts';
import { HOSTILE } from '../scene.ts';
import { newApprovalScene } from './scene.ts';

const VOTE = { delegatedFromId: null, comment: null };

describe('an approver in the console', () => {
  it('declines, without a vote', async () => {
    const { ann, bob, as, request } = await newApprovalScene();
    const { path, votes } = await request({ approvers: [ann, bob], rule: 'ALL' });
    const visitor = await as(ann);
    const answer = await visitor.submit(path, { decision: 'decline', comment: 'On leave.' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${path}?done=declined`]);
    expect(await votes()).toContainEqual({
      ...{ userId: ann.id, state: 'DECLINED', delegatedFromId: null, comment: 'On leave.' },
    });
    expect((await visitor.open(path)).text).toContain('So far, 0 of 2 approved, 1 declined.');
  });

  it('decides nothing with a button that does not exist', async () => {
    const { ann, as, request } = await newApprovalScene();
    const { path, votes } = await request({ approvers: [ann] });
    for (const fields of [{}, { decision: 'destroy' }])
      expect((await (await as(ann)).submit(path, fields as Record<string, string>)).status).toBe(422);
    expect(await votes()).toEqual([{ ...VOTE, userId: ann.id, state: 'PENDING' }]);
  });

  it('hands the vote to an editor with a reason, who then sees in whose place they decide', async () => {
    const { db, ann, bob, cyd, as, request, organizationPath } = await newApprovalScene();
    const { path, id, votes } = await request({ approvers: [ann, bob], rule: 'ALL' });
    const visitor = await as(ann);
    const { text } = await visitor.open(path);
    expect(text).toContain(`name="toUserId" value="${cyd.id}"`);
    for (const { id } of [ann, bob]) expect(text).not.toContain(`name="toUserId" value="${id}"`);
    const fields = { do: 'delegate', toUserId: cyd.id, delegationReason: 'She knows it.' };
    const answer = await visitor.submit(`${path}/delegate`, fields);
    expect(answer.headers.get('location')).toBe(`${path}?done=delegated`);
    expect(await votes()).toContainEqual({
      ...VOTE,
      userId: cyd.id,
      state: 'PENDING',
      delegatedFromId: ann.id,
    });
    const event = await db.prisma.event.findFirstOrThrow({
      where: { subjectId: id, kind: 'approval.delegated' },
    });
    expect(event.data).toMatchObject({ reason: 'She knows it.' });
    const substitute = await as(cyd);
    for (const page of [path, `${organizationPath}/approvals`, '/console/approvals', '/console'])
      expect([page, (await substitute.open(page)).text.includes('You decide in place of')]).toEqual([
        page,
        true,
      ]);
    expect((await (await as(bob)).open(path)).text).not.toContain('You decide in place of');
  });

  it('keeps what was entered when nobody was chosen, and when the chosen one may not decide', async () => {
    const { db, ann, owner, organization, as, request } = await newApprovalScene();
    const guest = await newMember(db, organization.id, 'GUEST');
    const { path, votes } = await request({ approvers: [ann], excludeRequester: true });
    const visitor = await as(ann);
    const form = { do: 'delegate', delegationReason: HOSTILE };
    for (const [toUserId, status] of [
      ['', 422],
      [guest.id, 422],
      [owner.id, 403],
    ] as const) {
      const answer = await visitor.submit(`${path}/delegate`, { ...form, toUserId });
      expect([answer.status, answer.text.includes('id="toUserId-error"')]).toEqual([status, true]);
      expect(answer.text).toContain('value="&lt;script&gt;');
      expect(answer.text).not.toContain('<script>alert');
    }
    expect(await votes()).toEqual([{ ...VOTE, userId: ann.id, state: 'PENDING' }]);
  });

  it('searches among many, and keeps the reason', async () => {
    const { db, ann, organization, as, request } = await newApprovalScene();
    for (let each = 0; each < 20; each++) await newMember(db, organization.id, 'MEMBER');
    const wanted = await newMember(db, organization.id, 'MEMBER');
    const { path } = await request({ approvers: [ann] });
    const visitor = await as(ann);
    expect((await visitor.open(path)).text).not.toContain('name="toUserId" value="');
    const fields = { do: 'find', 'find-toUserId': wanted.email, delegationReason: 'Away' };
    const { status, text } = await visitor.submit(`${path}/delegate`, fields);
    expect(status).toBe(200);
    expect(text.match(/name="toUserId" value="[^"]*"/g)).toEqual([`name="toUserId" value="${wanted.id}"`]);
    expect(text).toContain('value="Away"');
  });
});

describe('an admin of the project in the console', () => {
  it('hands over the vote of somebody else, which others may not', async () => {
    const { ann, bob, cyd, owner, as, request } = await newApprovalScene();
    const { path, votes } = await request({ approvers: [ann, bob], rule: 'ALL' });
    const fields = { do: 'delegate', fromUserId: bob.id, toUserId: cyd.id };
    for (const person of [ann, cyd])
      expect((await (await as(person)).submit(`${path}/delegate`, fields)).status).toBe(403);
    expect((await (await as(cyd)).open(path)).text).not.toContain('name="toUserId"');
    const admin = await as(owner);
    expect((await admin.open(path)).text).toContain('Whose vote');
    expect((await admin.submit(`${path}/delegate`, fields)).status).toBe(303);
    expect(await votes()).toContainEqual({
      ...VOTE,
      userId: cyd.id,
      state: 'PENDING',
      delegatedFromId: bob.id,
    });
  });

  it('takes back what somebody else requested, with a reason', async () => {
    const { db, ann, bob, cyd, project, organization, as, process, newDocument, approvals, join } =
      await newApprovalScene();
    await join(cyd, 'ADMIN');
    const itemId = await newDocument();
    const { id: processId } = await process({ approvers: [ann] });
    await startProcess(await bob.context(), { processId, itemIds: [itemId], projectId: project.id });
    const [approval] = await approvals(itemId);
    const path = `/console/${organization.id}/approvals/${approval?.id}`;
    const admin = await as(cyd);
    expect((await admin.open(path)).text).toContain('As an admin of the project you may end this process.');
    expect((await admin.submit(path, { decision: 'withdraw', reason: 'Wrong file.' })).status).toBe(303);
    const ended = await db.prisma.event.findFirstOrThrow({
      where: { subjectId: itemId, kind: 'document.processEnded' },
    });
    expect(ended.data).toMatchObject({ result: 'WITHDRAWN', reason: 'Wrong file.' });
  });
});

describe('the page of an approval', () => {
  it('says how many are needed, until when, and to whom it goes then', async () => {
    const { ann, bob, cyd, as, request, db } = await newApprovalScene();
    await db.prisma.user.update({ where: { id: cyd.id }, data: { name: `Cyd ${HOSTILE}` } });
    const { path } = await request(
      {
        approvers: [ann, bob],
        need: 2,
        veto: false,
        dueAfterDays: 3,
        onOverdue: 'ESCALATE',
        escalateTo: [cyd],
      },
      { name: 'Last', approvers: [bob], dueAfterDays: 1, onOverdue: 'DECLINE' },
    );
    const { text } = await (await as(ann)).open(path);
    for (const each of [
      '2 approvers have to approve. One denial does not end it.',
      'So far, 0 of 2 approved.',
      'these may decide it too',
      'Cyd &lt;script&gt;',
      'Due a day after its request.',
      'it is declined, and the process ends',
    ])
      expect(text).toContain(each);
    expect(text).not.toContain('<script>alert');
  });

  it('takes no form of another session, and hands over nothing for a stranger', async () => {
    const { ann, cyd, stranger, as, request } = await newApprovalScene();
    const { path, votes } = await request({ approvers: [ann] });
    const fields = { do: 'delegate', toUserId: cyd.id };
    expect((await (await as(ann)).browser.post(`${path}/delegate`, fields)).status).toBe(403);
    expect((await (await as(stranger)).submit(`${path}/delegate`, fields)).status).toBe(404);
    expect(await votes()).toEqual([{ ...VOTE, userId: ann.id, state: 'PENDING' }]);
  });
});
