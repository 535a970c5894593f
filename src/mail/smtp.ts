import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { MINUTE, SECOND } from '../lib/time.ts';

export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the start (port 465). */
  secure: boolean;
  /** STARTTLS is required; without it nothing is sent. False: no TLS. */
  requireTls: boolean;
  credentials?: { user: string; pass: string };
  /** PEM certificates that are trusted instead of the system's. */
  ca?: string;
  /** In ms: for the connection, its greeting, and each answer; TIMEOUTS by default. */
  timeouts?: Readonly<typeof TIMEOUTS>;
}

export interface HandOver {
  from: string;
  to: string;
  message: Buffer;
  /** Called when the server is ready for the text; false: another process is responsible, and nothing is transmitted. */
  begin: () => Promise<boolean>;
}

/**
 * The result of handing over a mail. `isServerFailure`: the same would happen to every mail now. LOST: `begin` returned
 * false.
 */
export type HandOverResult =
  | { result: 'ACCEPTED' | 'REFUSED' | 'UNCERTAIN' | 'LOST'; answer: string }
  | { result: 'DEFERRED'; answer: string; isServerFailure: boolean };

/** RFC 5321 §4.5.3.2 wants more for DATA; the lease of a mail ends after five minutes. */
const TIMEOUTS = { connect: 10 * SECOND, greeting: 10 * SECOND, idle: MINUTE };

const timeoutOptions = ({ connect, greeting, idle } = TIMEOUTS) => ({
  connectionTimeout: connect,
  greetingTimeout: greeting,
  socketTimeout: idle,
});

/** One attempt in all, whatever the server does; below the lease of a mail. */
const MAX_DURATION = 4 * MINUTE;

/** Mails for which one connection is used, and how long it waits for the next one. */
const MAX_MAILS = 100;
const MAX_IDLE = 30 * SECOND;

/** What nodemailer adds to its errors. */
interface SmtpError extends Error {
  responseCode?: number;
  response?: string;
  command?: string;
}

/** A connection to the mail server, for one mail at a time. After any failure it is closed. */
export class SmtpSession {
  readonly #connection: SMTPConnection;
  #mails = 0;
  #idle: NodeJS.Timeout | undefined;
  isOpen = true;

  private constructor(connection: SMTPConnection) {
    this.#connection = connection;
    connection.once('end', () => this.close());
  }

  /** Connects and authenticates. Rejects with an SmtpError. */
  static open({
    host,
    port,
    secure,
    requireTls,
    credentials,
    ca,
    timeouts,
  }: SmtpServer): Promise<SmtpSession> {
    const tls = { ...(ca && { ca }), minVersion: 'TLSv1.2' as const };
    const connection = new SMTPConnection({
      ...{ host, port, secure, tls, ...timeoutOptions(timeouts) },
      requireTLS: requireTls && !secure,
      ignoreTLS: !requireTls,
    });
    return new Promise((resolve, reject) => {
      connection.on('error', reject); // also later ones, which `send` reports
      connection.once('end', () => reject(new Error('The connection was closed.')));
      const ready = () => resolve(new SmtpSession(connection));
      connection.connect((error) => {
        if (error) return reject(error);
        if (!credentials) return ready();
        connection.login({ ...credentials, method: false }, (failure) =>
          failure ? reject(failure) : ready(),
        );
      });
    }).catch((error) => {
      connection.close();
      throw error;
    }) as Promise<SmtpSession>;
  }

  /** Hands over one mail; never rejects. */
  async send(mail: HandOver): Promise<HandOverResult> {
    clearTimeout(this.#idle);
    const text = new Text(mail);
    const timer = setTimeout(() => this.close(), MAX_DURATION);
    const result = await this.#transmit(mail, text).then(
      (answer): HandOverResult => ({ result: 'ACCEPTED', answer }),
      (error: SmtpError) => resultOf(error, text),
    );
    clearTimeout(timer);
    if (result.result !== 'ACCEPTED' || ++this.#mails >= MAX_MAILS) this.close();
    else this.#idle = setTimeout(() => this.close(), MAX_IDLE).unref();
    return result;
  }

  close(): void {
    clearTimeout(this.#idle);
    this.isOpen = false;
    this.#connection.close();
  }

  /** Resolves to the server's answer. */
  #transmit({ from, to, message }: HandOver, text: Text): Promise<string> {
    return new Promise((resolve, reject) => {
      const fail = (error?: Error) => reject(error ?? new Error('The connection was closed.'));
      this.#connection.once('error', fail);
      this.#connection.once('end', fail);
      this.#connection.send({ from, to, size: message.length }, text, (error, info) => {
        this.#connection.removeListener('error', fail);
        this.#connection.removeListener('end', fail);
        if (error) reject(error);
        else resolve(info?.response ?? '');
      });
    });
  }
}

/** The text of a mail. It is read for the first time when the server has answered 354 to DATA: until then nothing was sent. */
class Text extends Readable {
  readonly #mail: HandOver;
  #begun = false;
  isLost = false;
  isTransmitted = false;

  constructor(mail: HandOver) {
    super({ highWaterMark: 0 });
    this.#mail = mail;
  }

  override _read(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.#mail.begin().then(
      (mayBegin) => {
        this.isLost = !mayBegin;
        if (!mayBegin || this.destroyed) return void this.destroy(new Error('Nothing was transmitted.'));
        this.isTransmitted = true;
        this.push(this.#mail.message);
        this.push(null);
      },
      (error) => this.destroy(error),
    );
  }
}

/** What a failure means for the mail. Only an answer to RCPT TO, to DATA or to the text concerns this mail alone. */
function resultOf(error: SmtpError, text: Text): HandOverResult {
  const answer = error.response || error.message;
  if (text.isLost) return { result: 'LOST', answer };
  const { responseCode = 0, command = '' } = error;
  if (text.isTransmitted && responseCode === 0) return { result: 'UNCERTAIN', answer };
  const isAboutMail = responseCode !== 421 && (text.isTransmitted || /^(RCPT TO|DATA)$/.test(command));
  if (isAboutMail && responseCode >= 500) return { result: 'REFUSED', answer };
  return { result: 'DEFERRED', answer, isServerFailure: !isAboutMail };
}
