import { type ExecutionResult, GraphQLError } from 'graphql';
import { DomainError } from '../../domain/kernel/errors.ts';
import { tenantOf, type Viewer } from '../../domain/kernel/viewer.ts';
import type { SubscriptionResult } from '../operations/subscribe.ts';
import { type EventStreamOptions, eventStream } from './event-stream.ts';

const TOO_SLOW = new GraphQLError('', {
  originalError: new DomainError(
    'RATE_LIMITED',
    'The connection is read too slowly: connect again, and continue after the last event received.',
  ),
});

type ToPublic = (result: ExecutionResult) => ExecutionResult;

/** Open subscriptions at most: of a credential, a user and an organization. */
export interface SubscriptionLimits {
  subscriptions: number;
  subscriptionsUser: number;
  subscriptionsOrganization: number;
}

type Owner = Pick<Viewer, 'credentialId' | 'userId'> & { tenant: string | undefined };

/** The open subscriptions of this process, counted by credential, user and organization; none are accepted once it stops. */
export class Subscriptions {
  readonly #open = new Map<AbortController, Owner>();
  readonly #limits: SubscriptionLimits;
  #stopped = false;

  constructor(limits: SubscriptionLimits, stopping?: AbortSignal) {
    this.#limits = limits;
    stopping?.addEventListener('abort', () => this.#stop(), { once: true });
  }

  /** Counts a subscription until `end`, which may be called twice. */
  #begin(viewer: Viewer): { signal: AbortSignal; end: () => void } {
    if (this.#stopped) throw stoppingError();
    const owner = { credentialId: viewer.credentialId, userId: viewer.userId, tenant: tenantOf(viewer) };
    const { subscriptions, subscriptionsUser, subscriptionsOrganization } = this.#limits;
    this.#requireBelow(owner, 'credentialId', 'A credential', subscriptions);
    this.#requireBelow(owner, 'userId', 'A user', subscriptionsUser);
    this.#requireBelow(owner, 'tenant', 'An organization', subscriptionsOrganization);
    const controller = new AbortController();
    this.#open.set(controller, owner);
    return {
      signal: controller.signal,
      end: () => {
        this.#open.delete(controller);
        controller.abort();
      },
    };
  }

  /** Counts a subscription until its stream ends. Throws RATE_LIMITED, or UNAVAILABLE once the process stops. */
  async open(
    viewer: Viewer,
    start: (signal: AbortSignal) => Promise<AsyncGenerator<SubscriptionResult>>,
  ): Promise<SubscriptionStream> {
    const { signal, end } = this.#begin(viewer);
    try {
      return new SubscriptionStream(await start(signal), end);
    } catch (error) {
      end();
      throw error;
    }
  }

  #requireBelow(owner: Owner, member: keyof Owner, ownerName: string, limit: number): void {
    const open = [...this.#open.values()].filter((each) => each[member] === owner[member]).length;
    if (open >= limit)
      throw new DomainError('RATE_LIMITED', `${ownerName} has at most ${limit} subscriptions at a time.`);
  }

  #stop(): void {
    this.#stopped = true;
    for (const controller of this.#open.keys()) controller.abort(stoppingError());
  }
}

const stoppingError = () =>
  new DomainError(
    'UNAVAILABLE',
    'The server is stopping: connect again, and continue after the last event received.',
  );

/** The results of an accepted subscription. */
export class SubscriptionStream implements AsyncIterable<ExecutionResult> {
  readonly #results: AsyncGenerator<SubscriptionResult>;
  readonly end: () => void;

  constructor(results: AsyncGenerator<SubscriptionResult>, end: () => void) {
    this.#results = results;
    this.end = end;
  }

  async *[Symbol.asyncIterator]() {
    for await (const { result } of this.#results) if (result) yield result;
  }

  /** The results as server-sent events, each passed through `toPublic` first. */
  stream(toPublic: ToPublic, connection: Pick<EventStreamOptions, 'hold' | 'disconnect'> = {}): Response {
    const results = this.#results;
    async function* publicResults(): AsyncGenerator<SubscriptionResult> {
      for await (const each of results) yield { ...each, result: each.result && toPublic(each.result) };
    }
    return eventStream({
      results: publicResults(),
      end: this.end,
      ...connection,
      tooSlow: toPublic({ errors: [TOO_SLOW] }),
    });
  }
}
