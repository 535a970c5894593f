import { type ClaimedWebhook, claimWebhook, type Full } from '../domain/webhooks/webhook-claim.ts';
import { FairSlots } from '../lib/fair-slots.ts';
import { MINUTE, SECOND } from '../lib/time.ts';
import { WakeUpSignal } from '../lib/wake-up.ts';
import type { JobContext } from './context.ts';
import { type TurnOptions, takeTurn } from './webhook.ts';

/** How many webhooks a process sends for at a time: in all, of one organization, and to one host. */
const MOST = 128;
const MOST_OF_ORGANIZATION = 8;
const MOST_TO_HOST = 16;

/** How many of them use the database at a time, of which the requests need the rest. */
const DATABASE = { slots: 4, waiting: MOST, patience: MINUTE };

/** How often it looks for what others have to send, and for what became due. */
const LOOK = 2 * SECOND;

interface Turn {
  hook: ClaimedWebhook;
  done: Promise<void>;
}

/** Sends for webhooks, of all organizations in turn: many at a time, as most of the time goes by in waiting for receivers. */
export class WebhookSender {
  readonly #job: JobContext;
  readonly #turns = new Set<Turn>();
  readonly #bell = new WakeUpSignal();
  readonly #database = new FairSlots(DATABASE);
  /** The organizations to look at, beside the ones that are looked at now and then. */
  readonly #news = new Set<string>();
  #all = true;
  #stopping = false;

  constructor(job: JobContext) {
    this.#job = job;
  }

  /** Something may be due: in an organization, or in any. */
  look(organizationId?: string): void {
    if (organizationId === undefined) this.#all = true;
    else this.#news.add(organizationId);
    this.#bell.wake();
  }

  /** Sends until it is stopped. */
  async run(): Promise<void> {
    const looking = setInterval(() => this.look(), LOOK);
    while (!this.#stopping) {
      const organizationIds = this.#all ? undefined : [...this.#news];
      this.#all = false;
      this.#news.clear();
      await this.begin(organizationIds).catch((error) =>
        this.#job.log.error({ err: error }, 'webhooks were not looked at'),
      );
      await this.#bell.sleep(MINUTE);
    }
    clearInterval(looking);
    await this.settled();
  }

  /** Ends after the sends that are under way. */
  stop(): void {
    this.#stopping = true;
    this.#bell.wake();
  }

  /** Begins the turns of what is due, as long as there is room. False when there was none to begin. */
  async begin(organizationIds?: readonly string[]): Promise<boolean> {
    let begun = false;
    while (this.#turns.size < MOST && !this.#stopping) {
      const hook = await claimWebhook(this.#job.db, this.#full(), organizationIds);
      if (!hook) return begun;
      this.#start(hook);
      begun = true;
    }
    return begun;
  }

  /** Resolves when the turns under way have ended. */
  async settled(): Promise<void> {
    await Promise.all([...this.#turns].map(({ done }) => done));
  }

  #start(hook: ClaimedWebhook): void {
    const options: TurnOptions = {
      withDatabase: (work) => this.#database.run(hook.organizationId, work),
      isStopping: () => this.#stopping,
    };
    const done = takeTurn(this.#job, hook, options)
      .catch((error) => this.#job.log.error({ err: error, webhookId: hook.id }, 'a webhook was not sent for'))
      .finally(() => this.#end(turn));
    const turn = { hook, done };
    this.#turns.add(turn);
  }

  /** Where every slot was taken, anybody may wait for this one; otherwise only those of the same organization. */
  #end(turn: Turn): void {
    this.look(this.#turns.size < MOST ? turn.hook.organizationId : undefined);
    this.#turns.delete(turn);
  }

  #full(): Full {
    const hooks = [...this.#turns].map(({ hook }) => hook);
    return {
      organizationIds: repeated(
        hooks.map(({ organizationId }) => organizationId),
        MOST_OF_ORGANIZATION,
      ),
      hosts: repeated(
        hooks.map(({ host }) => host),
        MOST_TO_HOST,
      ),
    };
  }
}

/** The values that occur so often, or more often. */
function repeated(values: readonly string[], times: number): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= times).map(([value]) => value);
}

/** Sends all that is due now, of these organizations or of all, and waits for it. */
export async function sendDue(job: JobContext, organizationIds?: readonly string[]): Promise<void> {
  const sender = new WebhookSender(job);
  while (await sender.begin(organizationIds)) await sender.settled();
}
