import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChainWalk } from '../../../src/domain/events/audit-walk.ts';
import { REDACTED, redactedEvent } from '../../../src/domain/events/redaction-check.ts';
import { dataHash, eventHash } from '../../../src/domain/kernel/record/event-hash.ts';
import type { Event } from '../../../src/generated/prisma/client.ts';

const COUNT = 8;

/** The row after `rows`, as a server writes it in this version of the hash. */
function next(rows: readonly Event[], hashVersion: number, more: Partial<Event>): Event {
  const n = rows.length + 1;
  const row = {
    ...{
      organizationId: 'org_1',
      sequence: BigInt(n),
      id: `evt_${n}`,
      projectId: 'prj_1',
      subjectId: 'doc_1',
    },
    ...{
      kind: 'document.commented',
      actorId: 'usr_1',
      credentialId: null,
      clientId: null,
      requestId: 'r',
      via: null,
    },
    ...{ data: { text: `word ${n}` }, createdAt: new Date(1_900_000_000_000 + n), hashVersion },
    ...{ salt: hashVersion === 2 ? new Uint8Array(16).fill(n) : null, redactedById: null, dataHash: null },
    stateHash: null,
    ...more,
  };
  return { ...row, hash: eventHash(rows.at(-1)?.hash ?? new Uint8Array(), row as never) };
}

/** COUNT events, of which those at `positions` were redacted by one event at the end; version 1 up to `last1`. */
function redactedChain(positions: readonly number[], last1: number): Event[] {
  const rows: Event[] = [];
  for (let n = 1; n <= COUNT; n++) rows.push(next(rows, n <= last1 ? 1 : 2, {}));
  const named = positions.map((n) =>
    redactedEvent(rows[n - 2]?.hash ?? new Uint8Array(), rows[n - 1] as never),
  );
  const redaction = next(rows, 2, { kind: REDACTED, data: { after: { reason: 'asked', events: named } } });
  for (const n of positions) {
    const { salt, data, ...row } = rows[n - 1] as Event;
    const kept = row.hashVersion === 2 ? dataHash(salt as Uint8Array, data) : null;
    rows[n - 1] = { ...row, data: {}, salt: null, dataHash: kept, redactedById: redaction.id };
  }
  return [...rows, redaction];
}

function walk(rows: readonly Event[]) {
  const chain = new ChainWalk();
  const finding = rows.map((row) => chain.step(row)).find(Boolean);
  const { sequence, hash } = rows.at(-1) as Event;
  return { redacted: chain.redacted, finding: finding ?? chain.end({ sequence, hash }) };
}

const positions = fc.uniqueArray(fc.integer({ min: 1, max: COUNT }), { minLength: 1 });
const version1 = fc.integer({ min: 0, max: COUNT });

/** Each changes a row whose content is gone, in a way that its redaction does not allow. */
const FORGERIES: Record<string, (row: Event) => Event> = {
  kind: (row) => ({ ...row, kind: 'document.renamed' }),
  actor: (row) => ({ ...row, actorId: 'usr_2' }),
  time: (row) => ({ ...row, createdAt: new Date(row.createdAt.getTime() + 1) }),
  content: (row) => ({ ...row, data: { text: 'another' } }),
  salt: (row) => ({ ...row, salt: new Uint8Array(16) }),
  redaction: (row) => ({ ...row, redactedById: 'evt_other' }),
  noRedaction: (row) => ({ ...row, redactedById: null }),
};

describe('the verification of a chain with redacted events', () => {
  it('counts them, in both versions of the hash', () => {
    fc.assert(
      fc.property(positions, version1, (at, last1) => {
        expect(walk(redactedChain(at, last1))).toEqual({ redacted: at.length, finding: undefined });
      }),
    );
  });

  it('finds a change of a redacted event', () => {
    const change = fc.constantFrom(...Object.keys(FORGERIES));
    fc.assert(
      fc.property(positions, version1, change, (at, last1, how) => {
        const rows = redactedChain(at, last1);
        const index = (at[0] as number) - 1;
        rows[index] = (FORGERIES[how] as (row: Event) => Event)(rows[index] as Event);
        expect(walk(rows).finding).toBeDefined();
      }),
      { numRuns: 500 },
    );
  });

  it.each([1, 2])('finds an event of version %i whose content was removed without a redaction', (version) => {
    const rows = redactedChain([3], version === 1 ? COUNT : 0).slice(0, -1);
    expect(walk(rows)).toMatchObject({
      finding: { sequence: 3n, text: 'Event 3 has no content, and no event says that it was redacted.' },
    });
    rows[2] = { ...(rows[2] as Event), redactedById: null, dataHash: null };
    expect(walk(rows).finding?.text).toContain('does not match its hash');
  });

  it('finds a redaction that names an event which has its content', () => {
    const rows = redactedChain([3, 5], 0);
    rows[2] = next(rows.slice(0, 2), 2, {});
    expect(walk(rows).finding).toMatchObject({
      sequence: BigInt(COUNT + 1),
      text: expect.stringContaining('says that event 3 was redacted'),
    });
  });

  it('finds a redaction whose own content was removed', () => {
    const rows = redactedChain([3], 0);
    const { salt, data, ...row } = rows.at(-1) as Event;
    const kept = dataHash(salt as Uint8Array, data);
    rows[COUNT] = { ...row, data: {}, salt: null, dataHash: kept, redactedById: 'evt_99' };
    expect(walk(rows).finding?.text).toContain('no event says that it was redacted');
  });

  it('finds a hash of content that replaces content which is there', () => {
    const rows = redactedChain([], 0);
    const row = rows[4] as Event;
    rows[4] = { ...row, data: { text: 'forged' }, dataHash: dataHash(row.salt as Uint8Array, row.data) };
    expect(walk(rows).finding?.sequence).toBe(5n);
  });
});
