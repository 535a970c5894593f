// biome-ignore-all lint/suspicious/noExplicitAny: graphcache hands arguments and results over without their types
import type { DocgraphError } from '@docgraph/client';
import { type Cache, cacheExchange } from '@urql/exchange-graphcache';
import { Client, type CombinedError, fetchExchange, mapExchange, subscriptionExchange } from 'urql';
import { docgraph, ended, SERVER } from './docgraph.ts';
import { showMessage } from './messages.ts';
import { DOCUMENT } from './operations.ts';
import { createStore } from './store.ts';

/** Lists that an event of a kind may have changed: those fields of the project and of its folders are read again. */
const LISTS: Record<string, string[]> = {
  document: ['documents', 'tasks'],
  folder: ['folders'],
  task: ['tasks'],
  comment: ['comments'],
  approval: ['approvals'],
};

function invalidateLists(cache: Cache, kind: string, entities: (string | undefined)[]): void {
  const fields = LISTS[kind.split('.')[0] ?? ''] ?? [];
  for (const entity of ['Query', ...entities])
    for (const { fieldName, arguments: args } of entity ? cache.inspectFields(entity) : [])
      if (fields.includes(fieldName)) cache.invalidate(entity as string, fieldName, args ?? undefined);
}

/** Types without an id: parts of what they are read with. */
const keys = Object.fromEntries(
  ['Viewer', 'SearchHit', 'SearchHighlight', 'ApprovalItem'].map((type) => [type, () => null]),
);

const cache = cacheExchange({
  keys,
  // What `node` of a search and `subject` of an event can be, of what is selected there.
  possibleTypes: { Node: ['Document', 'Folder', 'Task'] },
  // Shown at once, and replaced by the answer of the server; taken back if it refuses.
  optimistic: {
    completeTask: ({ input }: any) => taskAfter('CompleteTaskPayload', input.taskId, 'COMPLETED'),
    reopenTask: ({ input }: any) => taskAfter('ReopenTaskPayload', input.taskId, 'OPEN'),
    approveApprovals: ({ input }: any) => approvalsAfter('ApproveApprovalsPayload', input.ids, 'APPROVED'),
    denyApprovals: ({ input }: any) => approvalsAfter('DenyApprovalsPayload', input.ids, 'DENIED'),
    createComments: ({ input }: any) => ({
      __typename: 'CreateCommentsPayload',
      comments: input.texts.map((text: string) => ({
        __typename: 'Comment',
        id: `temporary-${crypto.randomUUID()}`,
        text,
        createdAt: new Date().toISOString(),
        createdBy: null,
      })),
    }),
  },
  updates: {
    Mutation: {
      createComments(result: any, { input }: any, cache) {
        cache.updateQuery({ query: DOCUMENT, variables: { id: input.documentId } }, (data) => {
          data?.document?.comments.nodes.push(...result.createComments.comments);
          return data;
        });
      },
    },
    Subscription: {
      eventAppended({ eventAppended: event }: any, _args, cache) {
        const folder = event.subject?.folder?.id ?? event.subject?.parent?.id;
        const project = event.projectId && `Project:${event.projectId}`;
        const subject = event.subject && cache.keyOfEntity(event.subject);
        invalidateLists(cache, event.kind, [project, folder && `Folder:${folder}`, subject]);
      },
    },
  },
});

const taskAfter = (__typename: string, id: string, state: string) => ({
  __typename,
  task: { __typename: 'Task', id, state },
});

const approvalsAfter = (__typename: string, ids: string[], state: string) => ({
  __typename,
  approvals: ids.map((id) => ({ __typename: 'Approval', id, state, waitsForViewer: false })),
});

/** Whether changes arrive. */
export const connected = createStore(false);

/** Subscriptions by the client package, which connects again and continues after the last event. */
const subscriptions = subscriptionExchange({
  forwardSubscription: ({ query = '', variables }) => ({
    subscribe(sink) {
      const ending = new AbortController();
      const { signal } = ending;
      const run = async () => {
        const results = docgraph.subscribe<Record<string, unknown>>(query, variables, {
          signal,
          onConnection: connected.set,
        });
        for await (const data of results) sink.next({ data });
        sink.complete();
      };
      run().catch((error) => sink.error(error));
      return { unsubscribe: () => ending.abort() };
    },
  }),
});

/** Refusals are shown wherever they come from. The fetch has repeated by then what is safe to repeat. */
const errors = mapExchange({
  onError({ graphQLErrors: [refusal], networkError }: CombinedError) {
    const { code, retryAfter = 60 } = { ...refusal?.extensions, ...networkError } as Partial<DocgraphError>;
    const { message } = refusal ?? networkError ?? {};
    if (code === 'UNAUTHENTICATED') ended.set(true);
    else if (code === 'RATE_LIMITED') showMessage(`Too much at once. Wait ${Math.ceil(retryAfter)} seconds.`);
    else showMessage(message ?? 'That did not work.');
  },
});

export const graph = new Client({
  url: `${SERVER}/graphql`,
  preferGetMethod: false,
  requestPolicy: 'cache-and-network',
  // Authorized, refreshed and repeated where that is safe.
  fetch: docgraph.fetch,
  exchanges: [errors, cache, fetchExchange, subscriptions],
});
