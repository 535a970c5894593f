import { type AddressInfo, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { SmtpServer } from '../../../src/mail/smtp.ts';
import { CREDENTIALS, localCertificate } from './server.ts';

/** Where the server fails. STRIPPED: it does not offer STARTTLS; TLS: after it has agreed to it. */
export type Stage =
  | 'GREETING'
  | 'EHLO'
  | 'STARTTLS'
  | 'STRIPPED'
  | 'TLS'
  | 'AUTH'
  | 'MAIL'
  | 'RCPT'
  | 'DATA'
  | 'BODY'
  | 'DOT'
  | 'ACCEPTED';

/** DROP: it ends the connection; RESET: with RST; HANG: it says nothing any more; otherwise its answer. */
export type Fault = 'DROP' | 'RESET' | 'HANG' | 451 | 554 | 421 | 'CERTIFICATE' | 'REFUSE';

/** The commands by which a stage is recognised; after DATA the text follows. */
const COMMANDS: readonly [RegExp, Stage, string][] = [
  [/^(EHLO|HELO)/i, 'EHLO', ''],
  [/^STARTTLS/i, 'STARTTLS', '220 Go ahead'],
  [/^AUTH/i, 'AUTH', '235 Welcome'],
  [/^MAIL/i, 'MAIL', '250 OK'],
  [/^RCPT/i, 'RCPT', '250 OK'],
  [/^DATA/i, 'DATA', '354 Go ahead'],
];

/** One connection: a server in a few lines, which fails in one way at one stage. */
class Connection {
  #socket: Socket;
  readonly #plan: { stage: Stage; fault: Fault };
  readonly #seen: Seen;
  #buffer = '';
  #inText = false;
  #isSecure = false;
  #isOver = false;

  constructor(socket: Socket, plan: { stage: Stage; fault: Fault }, seen: Seen) {
    this.#socket = socket;
    this.#plan = plan;
    this.#seen = seen;
    this.#listen(socket);
    this.#reach('GREETING', '220 ready');
  }

  #listen(socket: Socket): void {
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => this.#read(chunk.toString('latin1')));
  }

  #read(text: string): void {
    if (this.#isOver) return;
    this.#buffer += text;
    if (this.#inText) this.#readText();
    else this.#readCommands();
  }

  #readCommands(): void {
    for (
      let end = this.#buffer.indexOf('\r\n');
      end >= 0 && !this.#inText;
      end = this.#buffer.indexOf('\r\n')
    ) {
      const line = this.#buffer.slice(0, end);
      this.#buffer = this.#buffer.slice(end + 2);
      this.#command(line);
    }
  }

  #command(line: string): void {
    const [, stage, answer] = COMMANDS.find(([pattern]) => pattern.test(line)) ?? [];
    if (stage === 'AUTH' && !this.#isSecure) this.#seen.passwordsInClear++;
    const isStripped = stage === 'STARTTLS' && this.#plan.stage === 'STRIPPED';
    if (!stage || isStripped) this.#write(isStripped ? '502 Not implemented' : '221 Bye');
    else if (this.#reach(stage, stage === 'EHLO' ? this.#capabilities() : (answer as string)))
      this.#advance(stage);
  }

  #advance(stage: Stage): void {
    if (stage === 'STARTTLS') this.#secure();
    if (stage === 'DATA') this.#inText = true;
  }

  #capabilities(): string {
    if (this.#isSecure) return '250-localhost\r\n250 AUTH PLAIN';
    return this.#plan.stage === 'STRIPPED'
      ? '250-localhost\r\n250 AUTH PLAIN'
      : '250-localhost\r\n250 STARTTLS';
  }

  #secure(): void {
    const { stage, fault } = this.#plan;
    if (stage === 'TLS' && fault !== 'CERTIFICATE') return void this.#fail(fault);
    const { key, cert } = localCertificate();
    this.#socket.removeAllListeners('data');
    const secured = new TLSSocket(this.#socket, { isServer: true, key, cert });
    this.#isSecure = true;
    this.#socket = secured;
    this.#listen(secured);
  }

  #readText(): void {
    if (this.#plan.stage === 'BODY') return void this.#fail(this.#plan.fault);
    if (!this.#buffer.endsWith('\r\n.\r\n')) return;
    this.#inText = false;
    this.#buffer = '';
    this.#seen.texts++;
    if (!this.#reach('DOT', '250 Accepted')) return;
    if (this.#plan.stage === 'ACCEPTED') this.#fail(this.#plan.fault);
  }

  /** Answers, or fails as planned. False if it failed. */
  #reach(stage: Stage, answer: string): boolean {
    if (this.#plan.stage === stage) return this.#fail(this.#plan.fault);
    this.#write(answer);
    return true;
  }

  #fail(fault: Fault): false {
    this.#isOver = typeof fault !== 'number';
    if (fault === 'DROP') this.#socket.end();
    else if (fault === 'RESET') this.#reset();
    else if (typeof fault === 'number') this.#write(`${fault} Planned`);
    if (fault === 421) this.#socket.end();
    return false;
  }

  /** A secured connection has no RST of its own: its transport is destroyed. */
  #reset(): void {
    if (this.#socket instanceof TLSSocket) this.#socket.destroy();
    else this.#socket.resetAndDestroy();
  }

  #write(text: string): void {
    this.#socket.write(`${text}\r\n`);
  }
}

interface Seen {
  connections: number;
  /** Texts that arrived completely. */
  texts: number;
  passwordsInClear: number;
}

/** A mail server on this machine that fails at one stage. A client that trusts its certificate, but for CERTIFICATE. */
export async function startFaultServer(stage: Stage, fault: Fault) {
  const seen: Seen = { connections: 0, texts: 0, passwordsInClear: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    seen.connections++;
    new Connection(socket, { stage, fault }, seen);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const settings: SmtpServer = {
    ...{ host: 'localhost', port, secure: false, requireTls: true, credentials: CREDENTIALS },
    ...(fault === 'CERTIFICATE' ? {} : { ca: localCertificate().cert }),
    ...(fault === 'HANG' && { timeouts: { connect: 2_000, greeting: 2_000, idle: 2_000 } }),
  };
  const stop = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  return { settings, seen, stop };
}
