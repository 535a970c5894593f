import { LOOK_INTERVAL } from '../db/work.ts';
import { type ClaimExclusions, type ClaimedWebhook, claimWebhook } from '../domain/webhooks/webhook-claim.ts';
import { FairSlots } from '../lib/fair-slots.ts';
import { MINUTE, SECOND } from '../lib/time.ts';
import { WakeUpSignal } from '../lib/wake-up.ts';
import type { WebhookContext } from './context.ts';
import { type RunOptions, runWebhook } from './webhook.ts';

/** Concurrent runs of a process: in total, of one organization, and to one host. */
const MAX_RUNS = 128;
const MAX_PER_ORGANIZATION = 8;
const MAX_PER_HOST = 16;

/** How many runs use the database at a time; the remaining connections serve requests. */
const DATABASE_SLOTS = { slots: 4, waiting: MAX_RUNS, patience: MINUTE };

/** How often to look for events of other processes, and for retries that became due. */
const POLL_INTERVAL = 2 * SECOND;

interface Run {
  hook: ClaimedWebhook;
  done: Promise<void>;
}

/** Sends for webhooks, round-robin over the organizations; many at a time, as runs mostly wait for receivers. */
export class WebhookSender {
  readonly #job: WebhookContext;
  readonly #runs = new Set<Run>();
  readonly #wakeUp = new WakeUpSignal(LOOK_INTERVAL);
  readonly #database = new FairSlots(DATABASE_SLOTS);
  /** Organizations with new events, to check before the next poll. */
  readonly #changedOrganizations = new Set<string>();
  #checkAll = true;
  #stopping = false;

  constructor(job: WebhookContext) {
    this.#job = job;
  }

  /** Notifies the sender that something may be due: in an organization, or in any. */
  notify(organizationId?: string): void {
    if (organizationId === undefined) this.#checkAll = true;
    else this.#changedOrganizations.add(organizationId);
    this.#wakeUp.wake();
  }

  /** Sends until `stop` is called; resolves when the last run has ended. */
  async run(): Promise<void> {
    const polling = setInterval(() => this.notify(), POLL_INTERVAL);
    while (!this.#stopping) {
      const organizationIds = this.#checkAll ? undefined : [...this.#changedOrganizations];
      this.#checkAll = false;
      this.#changedOrganizations.clear();
      await this.begin(organizationIds).catch((error) =>
        this.#job.log.error({ err: error }, 'webhooks were not looked at'),
      );
      await this.#wakeUp.sleep(MINUTE);
    }
    clearInterval(polling);
    await this.settled();
  }

  /** Makes `run` resolve after the sends that are under way. */
  stop(): void {
    this.#stopping = true;
    this.#wakeUp.wake();
  }

  /** Starts runs of webhooks that are due, up to the limits. False when it started none. */
  async begin(organizationIds?: readonly string[]): Promise<boolean> {
    let started = false;
    while (this.#runs.size < MAX_RUNS && !this.#stopping) {
      const hook = await claimWebhook(this.#job.db, this.#exclusions(), organizationIds);
      if (!hook) return started;
      this.#start(hook);
      started = true;
    }
    return started;
  }

  /** Resolves when the current runs have ended. */
  async settled(): Promise<void> {
    await Promise.all([...this.#runs].map(({ done }) => done));
  }

  #start(hook: ClaimedWebhook): void {
    const options: RunOptions = {
      withDatabase: (work) => this.#database.run(hook.organizationId, work),
      isStopping: () => this.#stopping,
    };
    const done = runWebhook(this.#job, hook, options)
      .catch((error) => this.#job.log.error({ err: error, webhookId: hook.id }, 'a webhook was not sent for'))
      .finally(() => this.#end(run));
    const run = { hook, done };
    this.#runs.add(run);
  }

  /** At MAX_RUNS any organization may wait for this slot; otherwise only this run's own can. */
  #end(run: Run): void {
    this.notify(this.#runs.size < MAX_RUNS ? run.hook.organizationId : undefined);
    this.#runs.delete(run);
  }

  #exclusions(): ClaimExclusions {
    const hooks = [...this.#runs].map(({ hook }) => hook);
    return {
      organizationIds: occurringAtLeast(
        hooks.map(({ organizationId }) => organizationId),
        MAX_PER_ORGANIZATION,
      ),
      hosts: occurringAtLeast(
        hooks.map(({ host }) => host),
        MAX_PER_HOST,
      ),
    };
  }
}

/** The values that occur at least `times` times. */
function occurringAtLeast(values: readonly string[], times: number): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= times).map(([value]) => value);
}

/** Sends everything that is due now, of these organizations or of all; resolves when it is sent. */
export async function sendDue(job: WebhookContext, organizationIds?: readonly string[]): Promise<void> {
  const sender = new WebhookSender(job);
  while (await sender.begin(organizationIds)) await sender.settled();
}
