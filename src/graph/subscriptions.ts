import { type ExecutionResult, GraphQLError } from 'graphql';
import { DomainError } from '../domain/errors.ts';
import { eventStream } from './event-stream.ts';
import type { Told } from './subscribe.ts';

const TOO_SLOW = new GraphQLError('', {
  originalError: new DomainError(
    'RATE_LIMITED',
    'You read too slowly: connect again, and go on after the last event you have read.',
  ),
});

type Public = (result: ExecutionResult) => ExecutionResult;

/** The subscriptions that this process serves: so many of each credential, and none once it stops. */
export class Subscriptions {
  readonly #open = new Map<AbortController, string>();
  readonly #most: number;
  #stopped = false;

  constructor(most: number, stopping?: AbortSignal) {
    this.#most = most;
    stopping?.addEventListener('abort', () => this.#stop(), { once: true });
  }

  /** Throws RATE_LIMITED or UNAVAILABLE. `end` may be called again. */
  begin(credentialId: string): { signal: AbortSignal; end: () => void } {
    if (this.#stopped) throw stopping();
    if ([...this.#open.values()].filter((each) => each === credentialId).length >= this.#most)
      throw new DomainError(
        'RATE_LIMITED',
        `A credential has at most ${this.#most} subscriptions at a time.`,
      );
    const controller = new AbortController();
    this.#open.set(controller, credentialId);
    return {
      signal: controller.signal,
      end: () => {
        this.#open.delete(controller);
        controller.abort();
      },
    };
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
  readonly #told: AsyncGenerator<Told>;
  readonly end: () => void;

  constructor(told: AsyncGenerator<Told>, end: () => void) {
    this.#told = told;
    this.end = end;
  }

  async *[Symbol.asyncIterator]() {
    for await (const { result } of this.#told) yield result;
  }

  /** `told` makes of each answer what a reader is told. */
  stream(told: Public): Response {
    const answers = this.#told;
    async function* publicly(): AsyncGenerator<Told> {
      for await (const each of answers) yield { ...each, result: told(each.result) };
    }
    return eventStream({ told: publicly(), end: this.end, tooSlow: told({ errors: [TOO_SLOW] }) });
  }
}
