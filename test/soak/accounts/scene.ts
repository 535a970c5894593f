import type { Database } from '../../../src/db/database.ts';
import type { Storage } from '../../../src/domain/kernel/context.ts';
import { Browser, type Page, type Server } from '../../support/browser.ts';
import { testStorage } from '../../support/storage.ts';
import { newWorld, type Person } from '../../support/world.ts';
import type { Trace } from './traces.ts';

export const AT_ONCE = 20;

/** Servers on one database, among which those who ask at once are divided. */
export interface Scene {
  db: Database;
  storage: Storage;
  servers: readonly Server[];
  organizationId: string;
  owner: Person;
}

export async function newScene(db: Database, servers: readonly Server[]): Promise<Scene> {
  const { organization, owner } = await newWorld(db);
  return { db, storage: await testStorage(db), servers, organizationId: organization.id, owner };
}

/** What is raced for once. */
export interface Round {
  /** Asks as one of AT_ONCE. */
  ask(turn: number): Promise<Page>;
  isWinner(page: Page): boolean;
  /** Whether the page tells one who lost why. */
  isRefusal(page: Page, turn: number): boolean | Promise<boolean>;
  /** The addresses of the account, whose traces are compared. */
  emails: readonly string[];
  /** What one winner leaves in the database. */
  leaves: Partial<Record<Trace, number>>;
  /** Whether the winner has what was raced for. */
  isGiven(turn: number): Promise<boolean>;
}

export type AccountRace = (scene: Scene) => Promise<Round>;

let networks = 0;

/** Limits count by network, so each round has one of its own. */
export const newNetwork = (): string => {
  const number = networks++;
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
};

/** A browser for each of those who ask, at the servers in turn. */
export const newBrowsers = ({ servers }: Scene, network = newNetwork()): Browser[] =>
  Array.from(
    { length: AT_ONCE },
    (_, turn) => new Browser(servers[turn % servers.length] as Server, network),
  );

export const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.open('/account')).status === 200;

/** Whether a page gives the browser a session. */
export const beginsSession = ({ headers }: Page): boolean =>
  headers.getSetCookie().some((cookie) => /^docgraph_session=[^;]/.test(cookie));
