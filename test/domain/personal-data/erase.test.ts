import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../../src/db/transaction.ts';
import { setEmail } from '../../../src/domain/accounts/email-owner.ts';
import { createComments, createTaskComments } from '../../../src/domain/comments/comment.ts';
import { serverActor } from '../../../src/domain/kernel/audit.ts';
import { erasePerson, finishErasures } from '../../../src/domain/personal-data/erase-person.ts';
import { type ErasureItem, planErasure } from '../../../src/domain/personal-data/erasure-plan.ts';
import { findPerson } from '../../../src/domain/personal-data/person.ts';
import { createTasks } from '../../../src/domain/tasks/task-create.ts';
import { handlers } from '../../../src/jobs/handlers.ts';
import { jobContext } from '../../support/jobs.ts';
import { tablesWith } from '../../support/stored-text.ts';
import { newMember } from '../../support/world.ts';
import { ADDRESS, BROWSER, newPersonScene } from './scene.ts';

const CAUSE = { by: 'OPERATOR', reason: 'Asked for' } as const;

describe('erasePerson', () => {
  it('leaves the address of a person in no table but in the mail that says so', async () => {
    const { db, person, site, verify } = await newPersonScene();
    await erasePerson(site, person.id, CAUSE);
    expect(await tablesWith(db, person.email)).toEqual(['events', 'mails']);
    const mails = await db.prisma.mail.findMany({ where: { toEmail: person.email } });
    expect(mails.map(({ kind }) => kind)).toEqual(['ACCOUNT_ERASED']);
    expect(await tablesWith(db, BROWSER)).toEqual([]);
    expect(await tablesWith(db, ADDRESS)).toEqual([]);
    expect(await verify()).toEqual([]);
  });

  it('redacts what the log of an organization that only invited the person has of the address, except comments', async () => {
    const { db, person, site, elsewhere, verify } = await newPersonScene();
    const { organization, project } = elsewhere;
    const ctx = await elsewhere.owner.context();
    const [task] = await createTasks(ctx, { projectId: project.id, tasks: [{ name: 'Ask' }] });
    await createTaskComments(ctx, { taskId: task?.id as string, texts: [`${person.email} did not answer`] });
    const holding = async () => {
      const events = await db.prisma.event.findMany({
        where: { organizationId: organization.id },
        orderBy: { sequence: 'asc' },
      });
      return events.filter(({ data }) => JSON.stringify(data).includes(person.email)).map(({ kind }) => kind);
    };
    expect(await holding()).toEqual(['invitation.created', 'task.commented']);
    await erasePerson(site, person.id, CAUSE);
    expect(await holding()).toEqual(['task.commented']);
    expect(await verify()).toEqual([]);
  });

  it('leaves the logs of organizations to which an address belongs that the person never verified', async () => {
    const { db, person, site, elsewhere } = await newPersonScene();
    await db.prisma.user.update({ where: { id: person.id }, data: { emailVerifiedAt: null } });
    await erasePerson(site, person.id, CAUSE);
    const [invitation] = await db.prisma.event.findMany({
      where: { organizationId: elsewhere.organization.id, kind: 'invitation.created' },
    });
    expect(invitation?.data).toMatchObject({ after: { email: person.email } });
  });

  it('keeps the account as one without a name, which nobody can use', async () => {
    const { db, person, site } = await newPersonScene();
    await erasePerson(site, person.id, CAUSE);
    const user = await db.prisma.user.findUniqueOrThrow({ where: { id: person.id } });
    expect(user).toMatchObject({
      ...{ name: 'Erased person', email: `erased-${person.id}@erased.invalid`, passwordHash: null },
      ...{ formerEmail: null, emailVerifiedAt: null },
    });
    expect(user.erasedAt).toBeInstanceOf(Date);
    expect(user.disabledAt).toBeInstanceOf(Date);
    const { errors } = await person.graph('{ viewer { id } }');
    expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    const events = await db.prisma.securityEvent.findMany({ where: { userId: person.id } });
    expect(events.map(({ kind, data }) => [kind, data])).toEqual([['account.erased', CAUSE]]);
  });

  it('redacts what holds the address as a whole, and keeps other comments unless the organization does not', async () => {
    for (const [erasedComments, texts] of [
      ['KEEP', ['', 'marigold']],
      ['REDACT', ['', '']],
    ] as const) {
      const { db, person, site, documentId, organization, verify } = await newPersonScene();
      await db.prisma.organization.update({ where: { id: organization.id }, data: { erasedComments } });
      const { items } = await erasePerson(site, person.id, CAUSE);
      const comments = await db.prisma.event.findMany({
        where: { subjectId: documentId, kind: 'document.commented' },
        orderBy: { sequence: 'asc' },
      });
      const textOf = ({ data }: (typeof comments)[number]) => (data as { text?: string }).text ?? '';
      expect(comments.slice(0, 2).map(textOf)).toEqual(texts);
      expect(textOf(comments[2] as (typeof comments)[number])).toBe(`x${person.email} is another address`);
      expect(items.some(({ kind, effect }) => kind === 'comment' && effect === 'KEPT')).toBe(
        erasedComments === 'KEEP',
      );
      expect(await verify()).toEqual([]);
    }
  });

  it('redacts what holds an address that the account had before, up to its change', async () => {
    const { db, person, site, ctx, documentId, verify } = await newPersonScene();
    await createComments(ctx, { documentId, texts: [`Write to ${person.email}`] });
    const email = `later.${person.email}`;
    await inTransaction(db, (tx) =>
      setEmail(serverActor('test'), tx, { userId: person.id, from: person.email, to: email }),
    );
    await createComments(ctx, { documentId, texts: [`${person.email} is of somebody else now`] });
    await erasePerson(site, person.id, CAUSE);
    const events = await db.prisma.event.findMany({
      where: { subjectId: documentId },
      orderBy: { sequence: 'asc' },
    });
    const holding = events.filter(({ data }) => JSON.stringify(data).includes(person.email));
    expect(holding.map(({ data }) => data)).toEqual([
      { text: `x${person.email} is another address` },
      { text: `${person.email} is of somebody else now` },
    ]);
    expect(await verify()).toEqual([]);
  });

  it('ends memberships as leaving does, and names nobody in the event', async () => {
    const { db, person, site, organization, elsewhere } = await newPersonScene();
    await erasePerson(site, person.id, CAUSE);
    expect(await db.prisma.membership.count({ where: { userId: person.id } })).toBe(0);
    const tasks = await db.prisma.task.findMany({ where: { organizationId: organization.id } });
    expect(tasks.map(({ assigneeId, assigneeEmail }) => [assigneeId, assigneeEmail])).toEqual([[null, null]]);
    const removed = await db.prisma.event.findMany({
      where: { organizationId: organization.id, kind: 'member.removed', subjectId: person.id },
    });
    expect(removed).toMatchObject([{ actorId: null, data: { before: { role: 'MEMBER' } } }]);
    expect(removed[0]?.data).toHaveProperty('unassigned.taskIds', [tasks[0]?.id]);
    const { id: organizationId } = elsewhere.organization;
    expect(await db.prisma.invitation.count({ where: { organizationId } })).toBe(0);
  });

  it('keeps signers of what is signed or being signed, replaces the others, and says both', async () => {
    const { db, person, site, signings, verify } = await newPersonScene();
    const { signed, declined, open, drafted, recipientOf } = await signings();
    await erasePerson(site, person.id, CAUSE).then(({ items }) => {
      const signers = items.filter(({ kind }) => kind === 'signatureRecipient');
      expect(signers.map(({ effect, count }) => [effect, count])).toEqual([
        ['REPLACED', 2],
        ['KEPT', 2],
      ]);
      expect(items.find(({ kind, effect }) => kind === 'eventContent' && effect === 'KEPT')?.count).toBe(1);
    });
    for (const { sessionId } of [signed, open])
      expect(await recipientOf(sessionId)).toMatchObject({ email: person.email, fullName: 'Pat Personal' });
    for (const { sessionId } of [declined, drafted])
      expect(await recipientOf(sessionId)).toMatchObject({
        ...{ email: `erased-${person.id}@erased.invalid`, fullName: 'Erased person' },
        ...{ ipAddress: null, userAgent: null, declinedReason: null },
      });
    const proof = await db.prisma.event.findFirstOrThrow({
      where: { subjectId: signed.documentId, kind: 'document.signed' },
    });
    expect(proof.data).toMatchObject({ email: person.email, ipAddress: ADDRESS });
    const refusal = await db.prisma.event.findFirstOrThrow({
      where: { subjectId: declined.documentId, kind: 'document.signatureDeclined' },
    });
    expect(refusal.data).toEqual({});
    expect(await verify()).toEqual([]);
  });

  it('is refused for the only owner of an organization, and changes nothing', async () => {
    const { db, owner, site, organization } = await newPersonScene();
    const before = await db.prisma.user.findUnique({ where: { id: owner.id } });
    const { obstacles } = await planErasure(db, await findPerson(db, owner.id));
    expect(obstacles).toEqual([{ organizationId: organization.id, name: organization.name }]);
    await expect(erasePerson(site, owner.id, CAUSE)).rejects.toMatchObject({
      ...{ code: 'CONFLICT', message: expect.stringContaining(organization.name) },
    });
    expect(await db.prisma.user.findUnique({ where: { id: owner.id } })).toEqual(before);
    const other = await newMember(db, organization.id, 'OWNER');
    await db.prisma.user.update({ where: { id: other.id }, data: { disabledAt: new Date() } });
    await expect(erasePerson(site, owner.id, CAUSE)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('is planned without a change, in the same numbers but for what others recorded', async () => {
    const { db, person, site } = await newPersonScene();
    const before = await db.prisma.user.findUnique({ where: { id: person.id } });
    const { items, obstacles } = await planErasure(db, await findPerson(db, person.id));
    expect(await db.prisma.user.findUnique({ where: { id: person.id } })).toEqual(before);
    expect(obstacles).toEqual([]);
    const report = await erasePerson(site, person.id, CAUSE);
    const redacted = (each: readonly ErasureItem[]) =>
      each.find(({ kind }) => kind === 'eventContent')?.count;
    const others = (each: readonly ErasureItem[]) => each.filter(({ kind }) => kind !== 'eventContent');
    expect(others(report.items)).toEqual(others(items));
    // By others: a task, a group and an invitation.
    expect(redacted(report.items)).toBe((redacted(items) ?? 0) + 3);
  });

  it('that was interrupted is finished by a sweep, and one that is repeated changes nothing', async () => {
    const { db, person, site, verify, organization } = await newPersonScene();
    const failing = { ...site, db: { ...db, prisma: failingOn(db.prisma, 'membership') } };
    await expect(erasePerson(failing, person.id, CAUSE)).rejects.toThrow('the process died');
    expect(await db.prisma.user.findUnique({ where: { id: person.id } })).toMatchObject({
      formerEmail: person.email,
    });
    expect(await db.prisma.membership.count({ where: { userId: person.id } })).toBe(1);
    expect(await finishErasures(site)).toBe(1);
    expect(await tablesWith(db, person.email)).toEqual(['events', 'mails']);
    const events = () => db.prisma.event.count({ where: { organizationId: organization.id } });
    const count = await events();
    await erasePerson(site, person.id, CAUSE);
    expect(await events()).toBe(count);
    expect(await finishErasures(site)).toBe(0);
    expect(await verify()).toEqual([]);
  });

  it('refuses what a request of the person writes afterwards', async () => {
    const { person, ctx, site, documentId, db } = await newPersonScene();
    await erasePerson(site, person.id, CAUSE);
    const count = () => db.prisma.event.count({ where: { subjectId: documentId } });
    const before = await count();
    await expect(createComments(ctx, { documentId, texts: ['late'] })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    expect(await count()).toBe(before);
  });

  it('deletes the last mail to the address once it was sent', async () => {
    const { person, site, db } = await newPersonScene();
    await erasePerson(site, person.id, CAUSE);
    const job = await jobContext(db);
    while (await handlers.mail({ ...job, mail: { target: 'NONE' } as never }));
    expect(await db.prisma.mail.count({ where: { toEmail: person.email } })).toBe(0);
  });
});

/** Prisma's client, except that one of its tables cannot be read outside of transactions. */
const failingOn = <Client extends object>(client: Client, name: string): Client =>
  new Proxy(client, {
    get(target, member) {
      if (member === name) throw new Error('the process died');
      return Reflect.get(target, member, target);
    },
  });
