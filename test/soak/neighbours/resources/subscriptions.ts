import { subscribe } from '../../../support/sse.ts';
import type { Resource } from '../measure.ts';
import { keepSending } from '../wait.ts';

const FOLLOW =
  'subscription ($id: ID!) { eventAppended(organizationId: $id) { id kind subject { __typename id } } }';

/** 200 streams, ten of each key, or as many as are allowed; and changes for them to tell of. */
export const subscriptions: Resource = {
  async aggress({ aggressor: { url, keys, organizationId, projectId, owner } }, signal) {
    for (let turn = 0; turn < 200; turn++) {
      const reader = await subscribe(url, keys[turn % keys.length] as string, FOLLOW, { id: organizationId });
      const drain = async () => {
        while (!signal.aborted && (await reader.next()));
      };
      void drain().catch(() => {});
      signal.addEventListener('abort', () => reader.cut());
    }
    await keepSending(
      200,
      (turn) => owner.mutate('createTasks', { projectId, tasks: [{ name: `Task ${turn}` }] }, 'tasks { id }'),
      signal,
    );
  },
};

/** The same, where the database is on the main thread. */
export const subscriptionsEmbedded: Resource = { ...subscriptions, embedded: true };
