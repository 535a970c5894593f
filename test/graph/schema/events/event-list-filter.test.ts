import { describe, expect, it } from 'vitest';
import { sql } from '../../../../src/db/sql/sql.ts';
import { createProjects } from '../../../../src/domain/projects/project.ts';
import { newId } from '../../../../src/lib/id.ts';
import { HOUR } from '../../../../src/lib/time.ts';
import { newClient } from '../../../support/oauth.ts';
import { joinProject, newMember, newWorld, type Person } from '../../../support/world.ts';

const FEED = `query ($id: ID!, $actorId: ID, $clientId: ID, $since: DateTime, $until: DateTime, $kinds: [String!], $projectId: ID, $direction: OrderDirection) {
  organization(id: $id) { events(first: 100, actorId: $actorId, clientId: $clientId, since: $since, until: $until, kinds: $kinds, projectId: $projectId, direction: $direction) {
    nodes { sequence kind createdAt projectId createdBy { id } } } } }`;

interface Listed {
  sequence: number;
  kind: string;
  createdAt: string;
  projectId: string | null;
  createdBy: { id: string } | null;
}

/** The time of an event: one an hour. */
const timeOf = (sequence: number): Date => new Date(Date.UTC(2026, 0, 1) + sequence * HOUR);

/** An organization with events of two people, one each hour, and a guest who sees one project. */
async function timedWorld() {
  const world = await newWorld();
  const { db, organization, owner, project } = world;
  const admin = await newMember(db, organization.id, 'ADMIN');
  const guest = await newMember(db, organization.id, 'GUEST');
  await joinProject(db, project, guest, 'VIEWER');
  for (let each = 0; each < 10; each++)
    await createProjects(await (each % 2 ? owner : admin).context(), {
      organizationId: organization.id,
      projects: [{ name: `Project ${each}` }],
    });
  await db.query(sql`UPDATE events e SET created_at = ${timeOf(0)}::timestamptz + e.sequence * interval '1 hour'
    WHERE e.organization_id = ${organization.id} RETURNING e.id`);
  const list = async (person: Person, filter: object = {}): Promise<Listed[]> => {
    const { data, errors } = await person.graph(FEED, { id: organization.id, ...filter });
    expect(errors).toBeUndefined();
    return data.organization.events.nodes;
  };
  return { ...world, admin, guest, list };
}

describe('the events of an organization by who acted and when', () => {
  it('are those of all events that match, for every role', async () => {
    const { owner, admin, guest, project, list } = await timedWorld();
    const last = (await list(owner)).length;
    expect(last).toBeGreaterThan(11);
    for (const person of [owner, admin, guest]) {
      const all = await list(person);
      for (let since = 0; since <= last + 1; since += 3)
        for (let until = since; until <= last + 2; until += 4)
          for (const more of [
            {},
            { actorId: admin.id },
            { kinds: ['project.*'] },
            { projectId: project.id },
          ]) {
            const filter = { since: timeOf(since), until: timeOf(until), ...more };
            const expected = all.filter(
              (event) =>
                event.sequence >= since &&
                event.sequence < until &&
                (!('actorId' in more) || event.createdBy?.id === more.actorId) &&
                (!('kinds' in more) || event.kind.startsWith('project.')) &&
                (!('projectId' in more) || event.projectId === more.projectId),
            );
            expect([filter, await list(person, filter)]).toEqual([filter, expected]);
          }
    }
  });

  it('may be open at either end, and in either direction', async () => {
    const { owner, admin, list } = await timedWorld();
    const all = await list(owner);
    expect(await list(owner, { since: timeOf(4) })).toEqual(all.slice(3));
    expect(await list(owner, { until: timeOf(4) })).toEqual(all.slice(0, 3));
    const reversed = await list(owner, { since: timeOf(4), actorId: admin.id, direction: 'DESC' });
    expect(reversed).toEqual(
      all
        .slice(3)
        .filter(({ createdBy }) => createdBy?.id === admin.id)
        .reverse(),
    );
  });

  it('miss none where the clock of one server was behind', async () => {
    const { db, owner, organization, list } = await timedWorld();
    const late = new Date(timeOf(6).getTime() - 30_000);
    await db.query(sql`UPDATE events e SET created_at = ${late} WHERE e.organization_id = ${organization.id}
      AND e.sequence IN (5, 6, 7) RETURNING e.id`);
    await db.query(sql`UPDATE events e SET created_at = ${new Date(late.getTime() + 20_000)}
      WHERE e.organization_id = ${organization.id} AND e.sequence = 5 RETURNING e.id`);
    const since = new Date(late.getTime() + 10_000);
    expect((await list(owner, { since })).map(({ sequence }) => sequence).slice(0, 2)).toEqual([5, 8]);
  });

  it('are those of one application, whoever used it', async () => {
    const { owner, admin, organization, list } = await timedWorld();
    const client = await newClient(owner, organization.id);
    const last = (await list(owner)).length;
    for (const [index, person] of [owner, admin].entries()) {
      const { viewer, ...ctx } = await person.context();
      const application = { ...viewer, clientId: client.id };
      await createProjects(
        { ...ctx, viewer: application },
        { organizationId: organization.id, projects: [{ name: `By it ${index}` }] },
      );
    }
    for (const person of [owner, admin])
      expect((await list(person, { clientId: client.id })).map(({ sequence }) => sequence)).toEqual([
        last + 1,
        last + 2,
      ]);
    expect(await list(owner, { clientId: client.id, actorId: owner.id })).toHaveLength(1);
    expect(await list(owner, { clientId: newId('Client') })).toEqual([]);
  });
});
