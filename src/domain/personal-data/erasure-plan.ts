import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { ACCOUNT_HOLDINGS } from './account-holdings.ts';
import { countPersonEvents, type EventCounts } from './event-counts.ts';
import type { Holding, HoldingEnd, Person } from './holding.ts';
import { countHeld } from './holding-rows.ts';
import { ORGANIZATION_HOLDINGS } from './organization-holdings.ts';

type ErasureEffect = 'REMOVED' | 'REPLACED' | 'KEPT';

/** What becomes of rows of one kind. */
export interface ErasureItem {
  kind: string;
  count: number;
  effect: ErasureEffect;
  /** Of what is kept: why. Of what is replaced: what. */
  reason: string | null;
}

/** An organization that would have no owner. */
export interface ErasureObstacle {
  organizationId: string;
  name: string;
}

/** What an erasure would do, and what prevents it. */
export interface ErasurePlan {
  items: ErasureItem[];
  obstacles: ErasureObstacle[];
  remarks: readonly string[];
}

/** What no count shows, in the plan and in the report. */
export const REMARKS: readonly string[] = [
  'Documents, tasks and other content stay with their organizations, which decide about it; they name the account by its id.',
  'What was handed over stays where it is: mails, deliveries of webhooks, exports, evidence files, and backups until they are deleted.',
  'Events that others recorded about the address, also in organizations that only invited the person, are found when it is done; a plan counts those by and about the account.',
  'Stored answers to repeated requests are encrypted, and end within a day.',
];

const EFFECTS: Record<HoldingEnd, ErasureEffect> = {
  ACCOUNT: 'REMOVED',
  MEMBERSHIP: 'REMOVED',
  ADDRESS: 'REMOVED',
  REPLACED: 'REPLACED',
  KEPT: 'KEPT',
};

export const HOLDINGS: readonly Holding[] = [...ACCOUNT_HOLDINGS, ...ORGANIZATION_HOLDINGS];

/** What an erasure of the account would do at this moment. Changes nothing. */
export async function planErasure(reader: Reader, person: Person & { email: string }): Promise<ErasurePlan> {
  const counts = new Map<Holding, number>();
  for (const holding of HOLDINGS) counts.set(holding, await countHeld(reader, holding, person));
  const events = await countPersonEvents(reader, person);
  return {
    items: itemsOf((holding) => counts.get(holding) ?? 0, events),
    obstacles: await obstaclesOf(reader, person.userId),
    remarks: REMARKS,
  };
}

/** The items with a count, in the order of the export. */
export function itemsOf(countOf: (holding: Holding) => number, events: EventCounts): ErasureItem[] {
  const ofRows = HOLDINGS.map((holding) => ({
    kind: holding.kind,
    count: countOf(holding),
    effect: EFFECTS[holding.end],
    reason: holding.reason ?? null,
  }));
  return [...ofRows, ...eventItems(events)].filter(({ count }) => count > 0);
}

const eventItems = ({ redacted, proofs, comments, acted }: EventCounts): ErasureItem[] => [
  {
    kind: 'eventContent',
    count: redacted,
    effect: 'REMOVED',
    reason:
      'Events that hold their address, network address or program, and comments where the organization wants that.',
  },
  {
    kind: 'comment',
    count: comments,
    effect: 'KEPT',
    reason: 'The organization keeps comments (erasedComments); they are shown as those of an erased person.',
  },
  {
    kind: 'eventContent',
    count: proofs,
    effect: 'KEPT',
    reason: 'Proves what was signed, until the document is purged (GDPR Art. 17(3)(b) and (e)).',
  },
  {
    kind: 'event',
    count: acted,
    effect: 'KEPT',
    reason:
      'That the account did it, when and with what is the record of the organization; its id names nobody any more.',
  },
];

/** Organizations of which the person is the only owner whose account is not disabled. */
export const obstaclesOf = ({ query }: Reader, userId: string): Promise<ErasureObstacle[]> =>
  query<ErasureObstacle>(sql`SELECT o.id AS organization_id, o.name FROM organizations o
    JOIN memberships m ON m.organization_id = o.id AND m.user_id = ${userId} AND m.role = 'OWNER'
    WHERE NOT EXISTS (SELECT FROM memberships x JOIN users u ON u.id = x.user_id
      WHERE x.organization_id = o.id AND x.role = 'OWNER' AND x.user_id <> ${userId} AND u.disabled_at IS NULL) ORDER BY o.id`);
