import { type Prisma, PrismaClient } from '../generated/prisma/client.ts';
import type { StatementListener } from './database.ts';

type Adapter = NonNullable<ConstructorParameters<typeof PrismaClient>[0]['adapter']>;

/** Creates Prisma's client; it reports each statement to `onStatement`, if set. */
export function createPrismaClient(
  adapter: Adapter,
  onStatement: StatementListener | undefined,
): PrismaClient {
  if (!onStatement) return new PrismaClient({ adapter });
  const client = new PrismaClient({ adapter, log: [{ emit: 'event', level: 'query' }] });
  client.$on('query', (event: Prisma.QueryEvent) => onStatement(event.query));
  return client as PrismaClient;
}
