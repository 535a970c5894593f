import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createComments } from '../../../src/domain/comments/comment.ts';
import { redactEvents } from '../../../src/domain/redaction/redaction.ts';
import { writeEvidenceOf } from '../../../src/domain/sealing/evidence.ts';
import { checkEvidence } from '../../../src/domain/sealing/evidence-check.ts';
import type { EvidenceFile } from '../../../src/domain/sealing/evidence-file.ts';
import { selfSigned } from '../../../src/pdf/seal/self-signed.ts';
import { pages, pdf } from '../../files/content/pdf-source.ts';
import { newSealingDesk } from '../../support/sealing.ts';

/** A sealed document with its evidence, created once and not changed. */
let evidence: Awaited<ReturnType<typeof make>>;

beforeAll(async () => {
  evidence = await make();
});

async function make() {
  const world = await newSealingDesk();
  const document = await world.signed(['Ann', 'Żółć'], { name: 'deed.pdf', content: pdf(pages(1)) });
  const before = await writeEvidenceOf(world.ctx, document.documentId);
  await world.seal(document.sessionId);
  const text = (await writeEvidenceOf(world.ctx, document.documentId)) as string;
  const [signed, sealed] = await world.revisionsOf(document.documentId);
  const bytes = await world.bytesOf(sealed?.blobId as string);
  return { world, ...document, before, text, bytes, unsealed: await world.bytesOf(signed?.blobId as string) };
}

describe('the evidence of a sealed document', () => {
  it('is checked with only the file and the PDF', async () => {
    const { text, bytes, before, sessionId } = evidence;
    expect(before).toBeNull();
    const { errors: faults, summary: says } = await checkEvidence(text, bytes);
    expect(faults).toEqual([]);
    expect(says.join('\n')).toContain('CN=Docgraph seal');
    expect(JSON.parse(text)).toMatchObject({
      format: 'docgraph-evidence-2',
      revisions: [{ number: 1 }, { number: 2, contentType: 'application/pdf' }],
      sessions: [
        {
          id: sessionId,
          signedRevision: 1,
          sealedRevision: 2,
          signers: [
            { fullName: 'Ann', state: 'COMPLETED', ipAddress: '192.0.2.7' },
            { fullName: 'Żółć', email: 's1@signers.test' },
          ],
        },
      ],
    });
  });

  it('that a server without hash version 2 wrote is still valid, and its events cannot be changed', async () => {
    const [text, bytes] = ['txt', 'pdf'].map((type) =>
      readFileSync(new URL(`./evidence-1.${type}`, import.meta.url)),
    ) as [Buffer, Buffer];
    expect((await checkEvidence(String(text), bytes)).errors).toEqual([]);
    const changed = String(text).replace('"kind": "document.created"', '"kind": "document.replaced"');
    expect((await checkEvidence(changed, bytes)).errors).toContainEqual(
      expect.stringContaining('does not match its hash'),
    );
  });

  it('detects a change of any byte of the file', async () => {
    const { text, bytes } = evidence;
    const file = Buffer.from(text);
    const offsets = Array.from({ length: 250 }, (_, index) => Math.floor((index * file.length) / 250));
    const missed: number[] = [];
    for (const offset of offsets) {
      const changed = Buffer.from(file);
      changed[offset] = (changed[offset] as number) ^ 1;
      if ((await checkEvidence(changed.toString(), bytes)).errors.length === 0) missed.push(offset);
    }
    expect(missed).toEqual([]);
  });

  it('detects a change of the PDF, or another PDF', async () => {
    const { text, bytes, unsealed, world } = evidence;
    const offsets = Array.from({ length: 100 }, (_, index) => Math.floor((index * bytes.length) / 100));
    const missed: number[] = [];
    for (const offset of offsets) {
      const changed = Buffer.from(bytes);
      changed[offset] = (changed[offset] as number) ^ 1;
      if ((await checkEvidence(text, changed)).errors.length === 0) missed.push(offset);
    }
    expect(missed).toEqual([]);
    expect((await checkEvidence(text, unsealed)).errors[0]).toContain('there is no signature');
    const other = await world.signed();
    await world.seal(other.sessionId);
    const [, sealed] = await world.revisionsOf(other.documentId);
    const { errors: faults } = await checkEvidence(text, await world.bytesOf(sealed?.blobId as string));
    expect(faults[0]).toContain('not one that the evidence is about');
  });

  it('names the event that was changed, even if the file is signed again', async () => {
    const { text, bytes, world, documentId } = evidence;
    const file = JSON.parse(text);
    file.events[2].event.data.sessionId = 'sgs_other';
    const forged = `${JSON.stringify(file, null, 2)}\n`;
    expect((await checkEvidence(forged, bytes)).errors.join('\n')).toContain(
      '(document.signatureSessionUpdated) does not match its hash',
    );
    const other = await selfSigned('Someone else');
    const storage = { ...world.ctx.storage, sealer: async () => other };
    const resigned = (await writeEvidenceOf({ ...world.ctx, storage }, documentId)) as string;
    expect((await checkEvidence(resigned, bytes)).errors[0]).toContain(
      'signed with another certificate than the PDF',
    );
    const pem = new X509Certificate(other.chain[0] as Uint8Array).toString();
    expect((await checkEvidence(resigned, bytes, { signer: pem })).errors).toEqual([]);
  });

  it('is valid with redacted events, which cannot be changed, and need the event that redacted them', async () => {
    const world = await newSealingDesk();
    const { documentId, sessionId } = await world.signed();
    const [comment] = await createComments(world.ctx, { documentId, texts: ['of a person'] });
    await world.seal(sessionId);
    const { organizationId } = await world.db.prisma.document.findFirstOrThrow({ where: { id: documentId } });
    await redactEvents(world.ctx, { organizationId, eventIds: [comment?.id as string], reason: 'Asked for' });
    const text = (await writeEvidenceOf(world.ctx, documentId)) as string;
    const [, sealed] = await world.revisionsOf(documentId);
    const bytes = await world.bytesOf(sealed?.blobId as string);
    expect([(await checkEvidence(text, bytes)).errors, text.includes('of a person')]).toEqual([[], false]);
    const errorsOf = async (change: (events: EvidenceFile['events']) => EvidenceFile['events']) => {
      const file = JSON.parse(text) as EvidenceFile;
      const changed = { ...file, events: change(file.events) };
      const verdict = await checkEvidence(`${JSON.stringify(changed, null, 2)}\n`, bytes);
      return verdict.errors.join('\n');
    };
    expect(
      await errorsOf((events) => events.filter(({ event }) => event.kind !== 'event.redacted')),
    ).toContain('has no content, and no event in the file says that it was redacted');
    const withoutHash = ({ event, ...rest }: EvidenceFile['events'][number]) => ({
      ...{ ...rest, event: event.dataHash ? { ...event, dataHash: '00' } : event },
    });
    expect(await errorsOf((events) => events.map(withoutHash))).toContain(
      '(document.commented) does not match its hash',
    );
  });

  it('has events that cannot be redacted while the document exists, unless its signing was stopped', async () => {
    const { world, documentId } = evidence;
    const { organizationId } = JSON.parse(evidence.text).document;
    const proofs = [
      'document.signingBegan',
      'document.signed',
      'document.signingCompleted',
      'document.sealed',
    ];
    const where = { subjectId: documentId, kind: { in: proofs } };
    const events = await world.db.prisma.event.findMany({ where });
    expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(proofs));
    for (const { id, kind } of events)
      await expect(
        redactEvents(world.ctx, { organizationId, eventIds: [id], reason: 'Asked for' }),
        kind,
      ).rejects.toThrow('is kept as long as the document');
    const { documentId: other, sessionId } = await world.signed();
    await world.db.prisma.signatureSession.update({
      where: { id: sessionId },
      data: {
        state: 'STOPPED',
        completedAt: null,
        stoppedAt: new Date(),
        stopReason: 'SENDER',
        sealing: 'NONE',
        sealingNextAt: null,
      },
    });
    const [signed] = await world.db.prisma.event.findMany({
      where: { subjectId: other, kind: 'document.signed' },
    });
    const redacted = await redactEvents(world.ctx, {
      organizationId,
      eventIds: [signed?.id as string],
      reason: 'Asked for',
    });
    expect(redacted).toMatchObject([{ kind: 'document.signed', data: {} }]);
  });

  it('is available to viewers of the document only', async () => {
    const { world, documentId } = evidence;
    const query = `query($id: ID!) { document(id: $id) { evidence } }`;
    const response = await world.owner.graph(query, { id: documentId });
    expect(JSON.parse(response.data.document.evidence).document.id).toBe(documentId);
    const hidden = await world.stranger.graph(query, { id: documentId });
    expect(hidden.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect(await writeEvidenceOf(await world.stranger.context(), documentId)).toBeNull();
  });
});
