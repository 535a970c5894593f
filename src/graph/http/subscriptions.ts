import { type ExecutionResult, GraphQLError } from 'graphql';
import { DomainError } from '../../domain/kernel/errors.ts';
import { tenantOf, type Viewer } from '../../domain/kernel/viewer.ts';
import type { SubscriptionResult } from '../operations/subscribe.ts';
import { eventStream } from './event-stream.ts';

const TOO_SLOW = new GraphQLError('', {
  originalError: new DomainError(
    'RATE_LIMITED',
    'You read too slowly: connect again, and go on after the last event you have read.',
  ),
});

type Public = (result: ExecutionResult) => ExecutionResult;

/** How many subscriptions there may be at a time. */
export interface SubscriptionLimits {
  subscriptions: number;
  subscriptionsUser: number;
  subscriptionsOrganization: number;
}

type Owner = Pick<Viewer, 'credentialId' | 'userId'> & { tenant: string | undefined };

/** The subscriptions that this process serves: so many of each credential, user and organization, and none once it stops. */
export class Subscriptions {
  readonly #open = new Map<AbortController, Owner>();
  readonly #limits: SubscriptionLimits;
  #stopped = false;

  constructor(limits: SubscriptionLimits, stopping?: AbortSignal) {
    this.#limits = limits;
    stopping?.addEventListener('abort', () => this.#stop(), { once: true });
  }

  /** Throws RATE_LIMITED or UNAVAILABLE. `end` may be called again. */
  begin(viewer: Viewer): { signal: AbortSignal; end: () => void } {
    if (this.#stopped) throw stopping();
    const owner = { credentialId: viewer.credentialId, userId: viewer.userId, tenant: tenantOf(viewer) };
    const { subscriptions, subscriptionsUser, subscriptionsOrganization } = this.#limits;
    this.#requireRoom(owner, 'credentialId', 'A credential', subscriptions);
    this.#requireRoom(owner, 'userId', 'A user', subscriptionsUser);
    this.#requireRoom(owner, 'tenant', 'An organization', subscriptionsOrganization);
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

  #requireRoom(owner: Owner, member: keyof Owner, whose: string, most: number): void {
    const open = [...this.#open.values()].filter((each) => each[member] === owner[member]).length;
    if (open >= most)
      throw new DomainError('RATE_LIMITED', `${whose} has at most ${most} subscriptions at a time.`);
  }

  #stop(): void {
    this.#stopped = true;
    for (const controller of this.#open.keys()) controller.abort(stopping());
  }
}

const stopping = () =>
  new DomainError(
    'UNAVAILABLE',
    'The server stops: connect again, and go on after the last event you have read.',
  );

/** A subscription that was let in, on its way to the reader. */
export class Served implements AsyncIterable<ExecutionResult> {
  readonly #told: AsyncGenerator<SubscriptionResult>;
  readonly end: () => void;

  constructor(told: AsyncGenerator<SubscriptionResult>, end: () => void) {
    this.#told = told;
    this.end = end;
  }

  async *[Symbol.asyncIterator]() {
    for await (const { result } of this.#told) yield result;
  }

  /** `told` makes of each answer what a reader is told. */
  stream(told: Public): Response {
    const answers = this.#told;
    async function* publicly(): AsyncGenerator<SubscriptionResult> {
      for await (const each of answers) yield { ...each, result: told(each.result) };
    }
    return eventStream({ told: publicly(), end: this.end, tooSlow: told({ errors: [TOO_SLOW] }) });
  }
}
