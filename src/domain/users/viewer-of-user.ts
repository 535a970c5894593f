import type { Database } from '../../db/database.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** Acts as a person without a credential of theirs: for the command line, the demo workspace and mails, never for a request. */
export async function viewerOfUser({ prisma }: Database, userId: string, actingFor: string): Promise<Viewer> {
  const user = await prisma.user.findUniqueOrThrow({ where: { id: userId } });
  const memberships = await prisma.membership.findMany({ where: { userId } });
  return {
    userId,
    email: user.email,
    name: user.name,
    scopes: new Set(['read', 'write']),
    credentialId: actingFor,
    memberships,
  };
}
