import { MINUTE, SECOND } from '../lib/time.ts';
import type { Sender } from './compose.tsx';
import { type HandOver, type HandOverResult, type SmtpServer, SmtpSession } from './smtp.ts';

/** SMTP: mails are handed over to a server. OUTBOX: they are stored, to be read on /outbox. NONE: there is no mail. */
export type MailService =
  | { readonly target: 'SMTP'; readonly sender: Sender; readonly smtp: SmtpMailer }
  | { readonly target: 'OUTBOX'; readonly sender: Sender }
  | { readonly target: 'NONE'; readonly sender: Sender };

/** After a failure of the server itself, how long nothing is sent: twice as long each time, up to the maximum. */
const FIRST_PAUSE = SECOND;
const MAX_PAUSE = MINUTE;

/** Hands mails over to one server. Keeps connections open for the next mails. */
export class SmtpMailer {
  readonly #server: SmtpServer;
  /** Milliseconds between two mails of this process. */
  readonly #interval: number;
  readonly #idle: SmtpSession[] = [];
  #next = 0;
  #failures = 0;
  #pausedUntil = 0;

  /** `perSecond`: mails of this process at most; 0: any number. */
  constructor(server: SmtpServer, perSecond = 0) {
    this.#server = server;
    this.#interval = perSecond > 0 ? SECOND / perSecond : 0;
  }

  /** Whether the server failed a moment ago, so that no mail should be tried. */
  get isPaused(): boolean {
    return performance.now() < this.#pausedUntil;
  }

  /** Hands over one mail, on a connection that is open or a new one; never rejects. */
  async handOver(mail: HandOver): Promise<HandOverResult> {
    await this.#turn();
    const result = await this.#send(mail);
    if (result.result === 'DEFERRED' && result.isServerFailure) this.#pause();
    else this.#failures = 0;
    return result;
  }

  close(): void {
    for (const session of this.#idle.splice(0)) session.close();
  }

  async #send(mail: HandOver): Promise<HandOverResult> {
    try {
      const session = this.#takeIdle() ?? (await SmtpSession.open(this.#server));
      const result = await session.send(mail);
      if (session.isOpen) this.#idle.push(session);
      return result;
    } catch (error) {
      const { response, message } = error as { response?: string; message: string };
      return { result: 'DEFERRED', answer: response || message, isServerFailure: true };
    }
  }

  #takeIdle(): SmtpSession | undefined {
    for (;;) {
      const session = this.#idle.pop();
      if (!session || session.isOpen) return session;
    }
  }

  #pause(): void {
    const pause = Math.min(FIRST_PAUSE * 2 ** this.#failures++, MAX_PAUSE);
    this.#pausedUntil = performance.now() + pause;
  }

  async #turn(): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#interval;
    if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now));
  }
}
