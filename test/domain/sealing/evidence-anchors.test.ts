import { execFileSync } from 'node:child_process';
import { sign, X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OFFLINE_COMMANDS } from '../../../src/admin/audit.ts';
import type { Database } from '../../../src/db/database.ts';
import { anchorLogs, announceNextAnchor } from '../../../src/domain/anchors/anchor.ts';
import { createComments } from '../../../src/domain/comments/comment.ts';
import { writeEvidenceOf } from '../../../src/domain/sealing/evidence.ts';
import { checkEvidence } from '../../../src/domain/sealing/evidence-check.ts';
import {
  type EvidenceContent,
  type EvidenceFile,
  writeEvidence,
} from '../../../src/domain/sealing/evidence-file.ts';
import { timeStamper } from '../../../src/timestamp/authority.ts';
import { newDatabase } from '../../support/database.ts';
import { newSealingDesk } from '../../support/sealing.ts';
import { openAuthority, type TestAuthority } from '../../support/time-stamps/authority.ts';

let authority: TestAuthority;
let db: Database;
let anchored: Awaited<ReturnType<typeof make>>;

beforeAll(async () => {
  authority = await openAuthority();
  db = await newDatabase();
  anchored = await make();
});
afterAll(async () => {
  await authority.close();
  await db.close();
});

async function anchor() {
  await anchorLogs(db, timeStamper({ urls: [authority.url], roots: authority.roots }));
  while (await announceNextAnchor(db));
}

/** A sealed document whose log was stamped before its last two comments, between them, and never since. */
async function make() {
  const world = await newSealingDesk(db);
  const { documentId, sessionId } = await world.signed();
  await world.seal(sessionId);
  const unstamped = (await writeEvidenceOf(world.ctx, documentId)) as string;
  for (const text of ['first', 'second']) {
    await anchor();
    await createComments(world.ctx, { documentId, texts: [text] });
  }
  const text = (await writeEvidenceOf(world.ctx, documentId)) as string;
  const [, sealed] = await world.revisionsOf(documentId);
  const bytes = await world.bytesOf(sealed?.blobId as string);
  return { world, documentId, unstamped, text, bytes };
}

/** The file changed, and signed again with the key of the server: what its owner can do. */
async function forged(change: (content: EvidenceContent) => void): Promise<string> {
  const { signature: _, ...content } = JSON.parse(anchored.text) as EvidenceFile;
  change(content);
  const { chain, key } = await anchored.world.ctx.storage.sealer();
  const value = sign('sha256', Buffer.from(JSON.stringify(content)), key).toString('base64');
  return writeEvidence(content, {
    certificate: new X509Certificate(chain[0] as Uint8Array).toString(),
    value,
  });
}

const flipHex = (hex: string): string => (hex[0] === '0' ? '1' : '0') + hex.slice(1);

describe('the evidence of a document in a log with time-stamps', () => {
  it('has none before the first', async () => {
    expect(JSON.parse(anchored.unstamped)).not.toHaveProperty('anchors');
    expect((await checkEvidence(anchored.unstamped, anchored.bytes)).errors).toEqual([]);
  });

  it('proves events by the first after the seal, and later ones by the newest', () => {
    const { anchors, events } = JSON.parse(anchored.text) as EvidenceFile;
    expect(anchors).toHaveLength(2);
    const kinds = events.map(({ event, proof }) => [event.kind, proof?.anchor]);
    expect(kinds.slice(-3)).toEqual([
      ['document.sealed', 0],
      ['document.commented', 1],
      ['document.commented', undefined],
    ]);
    expect(kinds.slice(0, -3).every(([, index]) => index === 0)).toBe(true);
  });

  it('says before which time events were recorded, and according to whom', async () => {
    const { errors, summary } = await checkEvidence(anchored.text, anchored.bytes, {
      authorities: authority.roots,
    });
    const { anchors, events } = JSON.parse(anchored.text) as EvidenceFile;
    const first = events[0]?.event.sequence;
    expect(errors).toEqual([]);
    expect(summary).toContainEqual(
      expect.stringMatching(
        `^${events.length - 2} events, from ${first} to \\d+: recorded before ${anchors?.[0]?.stampedAt}, by the time-stamp of O=Harbour, CN=Clock \\(SHA-256 `,
      ),
    );
  });

  const faults: [string, (content: EvidenceContent) => void, RegExp][] = [
    [
      'a hash of the path of an event',
      ({ events: [each] }) => {
        (each?.proof?.path as string[])[0] = flipHex(each?.proof?.path[0] as string);
      },
      /Event \d+ \(document.created\) is not in the log that was time-stamped/,
    ],
    [
      'the path of another event',
      ({ events: [one, two] }) => {
        if (one) one.proof = two?.proof;
      },
      /Event \d+ \(document.created\) is not in the log/,
    ],
    [
      'an anchor that is not there',
      ({ events: [each] }) => {
        if (each?.proof) each.proof.anchor = 2;
      },
      /Event \d+ \(document.created\) is not in the log/,
    ],
    [
      'the root of the log',
      ({ anchors }) => {
        if (anchors?.[0]) anchors[0].root = flipHex(anchors[0].root);
      },
      /is not over this state of the log/,
    ],
    [
      'the organization',
      (content) => {
        content.document.organizationId = 'org_other';
      },
      /is not over this state of the log/,
    ],
    [
      'the time',
      ({ anchors }) => {
        if (anchors?.[0]) anchors[0].stampedAt = '2020-01-01T00:00:00.000Z';
      },
      /The time-stamp of 2020-01-01T00:00:00.000Z has another time/,
    ],
    [
      'the token of another state',
      ({ anchors }) => {
        if (anchors?.[0] && anchors[1]) anchors[0].token = anchors[1].token;
      },
      /is over another digest/,
    ],
  ];

  it.each(
    faults,
  )('is not valid with a change of %s, also if the server signs it again', async (_, change, fault) => {
    const text = await forged(change);
    const verdict = await checkEvidence(text, anchored.bytes, { authorities: authority.roots });
    const errors = verdict.errors.join('\n');
    expect(errors).toMatch(fault);
    expect(errors).not.toContain('changed after it was signed');
  });

  it('is not valid for who trusts another authority', async () => {
    const stranger = await openAuthority();
    const { errors } = await checkEvidence(anchored.text, anchored.bytes, { authorities: stranger.roots });
    await stranger.close();
    expect(errors[0]).toContain('is not by an authority under the given certificate');
  });

  it('is checked by the command with the certificate of the authority', async () => {
    const [evidence, pdf] = [join(authority.folder, 'evidence.json'), join(authority.folder, 'sealed.pdf')];
    writeFileSync(evidence, anchored.text);
    writeFileSync(pdf, anchored.bytes);
    const check = (authorityFile: string) =>
      OFFLINE_COMMANDS['check-evidence']?.run({ evidence, pdf, authority: authorityFile });
    expect(await check(authority.rootFile)).toContain('recorded before');
    await expect(check(pdf)).rejects.toThrow('is not usable: there is no certificate in it');
  });
});

describe('the script of the documentation', () => {
  const script = fileURLToPath(new URL('../../../docs/internals/check-time.sh', import.meta.url));

  const run = (text: string, sequence: string): string => {
    const evidence = join(authority.folder, 'evidence.json');
    writeFileSync(evidence, text);
    return execFileSync('bash', [script, evidence, sequence, authority.rootFile], {
      cwd: authority.folder,
      stdio: 'pipe',
    }).toString();
  };

  it('checks with openssl alone that an event was recorded before a time', () => {
    const { events } = JSON.parse(anchored.text) as EvidenceFile;
    for (const { event } of [events[0], events.at(-2)] as EvidenceFile['events']) {
      const sequence = event.sequence as string;
      expect(run(anchored.text, sequence)).toMatch(
        new RegExp(`Event ${sequence} was recorded before .* GMT`),
      );
    }
  });

  it.each(['hash', 'path', 'salt', 'states'])('fails with one byte of the %s changed', (part) => {
    const file = JSON.parse(anchored.text) as EvidenceFile;
    const { event, hash, proof } = file.events[0] as EvidenceFile['events'][number];
    const anchor = file.anchors?.[0];
    const parts = { hash, path: proof?.path[1], salt: anchor?.salt, states: anchor?.path[0] };
    const text = parts[part as keyof typeof parts] as string;
    const changed = anchored.text.replaceAll(text, flipHex(text));
    expect(() => run(changed, event.sequence as string)).toThrow(/message imprint mismatch/);
  });
});
