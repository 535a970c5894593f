import { onTestFinished } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import type { Context } from '../../src/domain/kernel/context.ts';
import { createProjects } from '../../src/domain/projects/project.ts';
import { createWebhooks } from '../../src/domain/webhooks/webhook-change.ts';
import { newId } from '../../src/lib/id.ts';
import { newReceiver } from './servers/receiver.ts';
import type { Person } from './world.ts';

/** A receiver that is closed with the test. */
export async function receiver(...args: Parameters<typeof newReceiver>) {
  const receiver = await newReceiver(...args);
  onTestFinished(receiver.close);
  return receiver;
}

/** Webhooks of a person for what happens to projects, one for each URL. Gives their ids. */
export async function hooksFor(
  ctx: Context,
  organizationId: string,
  urls: readonly string[],
): Promise<string[]> {
  const webhooks = urls.map((url) => ({ url, kinds: ['project.*'], query: '{ kind }' }));
  const created = await createWebhooks(ctx, { organizationId, webhooks });
  return created.map(({ webhook }) => webhook.id);
}

/** Something that a webhook for projects is sent. */
export const happen = async (person: Person, organizationId: string): Promise<unknown> =>
  createProjects(await person.context(), { organizationId, projects: [{ name: newId('Project') }] });

/** An application of an organization, which anybody may let read and write. */
export async function newApplication({ prisma }: Database, organizationId: string, createdById: string) {
  const id = newId('Client');
  const scopes: ('read' | 'write')[] = ['read', 'write'];
  await prisma.client.create({
    data: { id, organizationId, name: 'Courier', kind: 'PUBLIC', redirectUris: [], scopes, createdById },
  });
  return {
    id,
    /** One more grant of a user. Gives its id. */
    async grant(userId: string, granted = scopes): Promise<string> {
      const grantId = newId('Grant');
      await prisma.grant.create({ data: { id: grantId, clientId: id, userId, scopes: granted } });
      return grantId;
    },
  };
}

/** As an application acts for a person. */
export async function through(person: Person, credentialId: string): Promise<Context> {
  const ctx = await person.context();
  return { ...ctx, viewer: { ...ctx.viewer, credentialId } };
}
