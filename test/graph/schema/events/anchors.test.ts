import { afterAll, beforeAll, expect, it } from 'vitest';
import { issueApiKey } from '../../../../src/auth/api-key.ts';
import type { Database } from '../../../../src/db/database.ts';
import { anchorLogs, announceNextAnchor } from '../../../../src/domain/anchors/anchor.ts';
import { checkAnchor, leadsToRoot } from '../../../../src/domain/anchors/anchor-proof.ts';
import { isConsistent } from '../../../../src/domain/anchors/merkle-tree.ts';
import { timeStamper } from '../../../../src/timestamp/authority.ts';
import { newDatabase } from '../../../support/database.ts';
import { openAuthority, type TestAuthority } from '../../../support/time-stamps/authority.ts';
import { newWorld, type Person } from '../../../support/world.ts';

let authority: TestAuthority;
let db: Database;
let world: Awaited<ReturnType<typeof newWorld>>;

/** A log that was stamped twice, and has further events. */
beforeAll(async () => {
  authority = await openAuthority();
  db = await newDatabase();
  world = await newWorld(db);
  for (const name of ['One', 'Two', 'Three']) {
    await rename(name);
    if (name !== 'Three') await anchor();
  }
});
afterAll(async () => {
  await authority.close();
  await db.close();
});

const rename = (name: string) =>
  world.owner.graph(
    'mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { organization { id } } }',
    {
      input: { organizationId: world.organization.id, name },
    },
  );

async function anchor() {
  await anchorLogs(db, timeStamper({ urls: [authority.url], roots: authority.roots }));
  while (await announceNextAnchor(db));
}

const ANCHORS =
  'logAnchors { nodes { size root salt position organizations path digest stampedAt authority token } }';

async function read(selection: string, person: Person = world.owner) {
  const query = `query ($id: ID!) { organization(id: $id) { ${selection} } }`;
  return (await person.graph(query, { id: world.organization.id })).data?.organization;
}

const inclusion = async (eventId: string) =>
  (await read(`logInclusion(eventId: "${eventId}") { size root sequence hash path }`)).logInclusion;

const consistency = async (from: number, to: number) =>
  (await read(`logConsistency(from: ${from}, to: ${to})`)).logConsistency;

const hash = (hex: string) => Buffer.from(hex, 'hex');

it('lists the time-stamps of a log, newest first, which are checked without the server', async () => {
  const { nodes } = (await read(ANCHORS)).logAnchors;
  expect(nodes.map(({ size }: { size: string }) => Number(size))).toEqual([6, 4]);
  for (const each of nodes) {
    const proof = { ...each, size: Number(each.size) };
    expect(await checkAnchor(world.organization.id, proof, authority.roots)).toMatchObject({
      isTrusted: true,
    });
  }
});

it('proves an event by the first time-stamp after it, and one behind the last not yet', async () => {
  const { nodes } = (await read('events(first: 10) { nodes { id sequence } }')).events;
  const proofs = [];
  for (const { id } of nodes) proofs.push(await inclusion(id));
  expect(proofs.map((proof) => proof && Number(proof.size))).toEqual([4, 4, 4, 4, 6, 6, null, null]);
  for (const proof of proofs.slice(0, 6)) {
    const anchor = { size: Number(proof.size), root: proof.root } as never;
    expect(
      leadsToRoot({ anchor, sequence: Number(proof.sequence), hash: hash(proof.hash), path: proof.path }),
    ).toBe(true);
  }
});

it('proves that the log was only continued since an older time-stamp', async () => {
  const [newer, older] = (await read(ANCHORS)).logAnchors.nodes.map(
    (each: { size: string; root: string }) => ({
      size: Number(each.size),
      root: hash(each.root),
    }),
  );
  const path = (await consistency(older.size, newer.size)).map(hash);
  expect(isConsistent(older, newer, path)).toBe(true);
  expect(isConsistent(newer, older, path)).toBe(false);
  expect(await consistency(6, 6)).toEqual([]);
});

it.each([
  [6, 4],
  [4, 5],
  [0, 6],
  [4, 8],
])('has no proof from %i to %i events, which are not two states with a time-stamp', async (from, to) => {
  expect(await consistency(from, to)).toBeNull();
});

it('shows nothing to who is not in the organization, nor an event that the viewer does not see', async () => {
  expect(await read(ANCHORS, world.stranger)).toBeFalsy();
  const foreign = await db.prisma.event.findFirstOrThrow({
    where: { organizationId: { not: world.organization.id } },
  });
  expect(await inclusion(foreign.id)).toBeNull();
});

it('needs the scope events:read', async () => {
  const { secret } = await issueApiKey(db.prisma, {
    userId: world.owner.id,
    name: 'narrow',
    scopes: ['organizations:read'],
  });
  const narrow = await world.owner.with(secret);
  const { errors } = await narrow.graph(
    `{ organization(id: "${world.organization.id}") { logConsistency(from: 4, to: 6) } }`,
  );
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
});
