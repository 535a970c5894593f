import { describe, expect, it } from 'vitest';
import { exportPerson, type PersonalRecord } from '../../../src/domain/personal-data/export.ts';
import { findPerson } from '../../../src/domain/personal-data/person.ts';
import { newPerson, newWorld } from '../../support/world.ts';
import { ADDRESS, BROWSER, newPersonScene } from './scene.ts';

async function recordsOf(db: Parameters<typeof exportPerson>[0], userId: string): Promise<PersonalRecord[]> {
  const records: PersonalRecord[] = [];
  for await (const batch of exportPerson(db, await findPerson(db, userId))) records.push(...batch);
  return records;
}

describe('exportPerson', () => {
  it('yields the account, what belongs to it, what organizations hold, and the events by and about the person', async () => {
    const { db, person, signings } = await newPersonScene();
    await signings();
    const records = await recordsOf(db, person.id);
    const kinds = new Set(records.map(({ kind }) => kind));
    expect([...kinds]).toEqual(
      expect.arrayContaining([
        ...['account', 'signIn', 'passkey', 'externalIdentity', 'emailChange', 'apiKey', 'securityEvent'],
        ...['preference', 'clientLog', 'follow', 'mail', 'membership', 'groupMembership'],
        ...['projectMembership', 'invitation', 'task', 'signatureRecipient', 'signatureValue', 'event'],
      ]),
    );
    const [account] = records;
    expect(account).toMatchObject({ kind: 'account', data: { id: person.id, email: person.email } });
    const signIn = records.find(({ kind }) => kind === 'signIn');
    expect(signIn?.data).toMatchObject({ userAgent: BROWSER, ipAddress: ADDRESS, methods: ['password'] });
    const events = records.filter(({ kind }) => kind === 'event').map(({ data }) => data.kind);
    expect(events).toEqual(expect.arrayContaining(['document.commented', 'document.signed']));
  });

  it('has nothing of others, and no secret', async () => {
    const { db, person, owner } = await newPersonScene();
    const text = JSON.stringify(await recordsOf(db, person.id));
    expect(text).not.toContain(owner.email);
    const { passwordHash, ...key } = (await db.prisma.apiKey.findFirstOrThrow({
      where: { userId: person.id },
    })) as unknown as { passwordHash: string; secretHash: Uint8Array };
    expect(text).not.toContain(Buffer.from(key.secretHash).toString('hex'));
    expect(text).not.toContain('secretHash');
  });

  it('leaves out what is assigned to an address that its owner never verified', async () => {
    const { db, person } = await newPersonScene();
    await db.prisma.user.update({ where: { id: person.id }, data: { emailVerifiedAt: null } });
    const kinds = (await recordsOf(db, person.id)).map(({ kind }) => kind);
    expect(kinds).toContain('membership');
    expect(kinds).not.toContain('invitation');
  });

  it('reads in batches, each once', async () => {
    const { db } = await newWorld();
    const person = await newPerson(db);
    await db.prisma.userPreference.createMany({
      data: Array.from({ length: 1_201 }, (_, index) => ({
        userId: person.id,
        name: `n${index}`,
        value: 'x',
      })),
    });
    const sizes: number[] = [];
    for await (const batch of exportPerson(db, await findPerson(db, person.id)))
      if (batch[0]?.kind === 'preference') sizes.push(batch.length);
    expect(sizes).toEqual([500, 500, 201]);
  });
});
