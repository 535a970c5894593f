import { SMTPServer } from 'smtp-server';

/** A mail server that counts what it has accepted by its Message-ID, and can be down for a while. */
export class CountingServer {
  readonly port: number;
  readonly arrived = new Map<string, number>();
  #server: SMTPServer | undefined;

  constructor(port: number) {
    this.port = port;
  }

  /** Answers up to 30 ms after a text has arrived, so that some kills fall between the two. */
  async start(): Promise<void> {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      closeTimeout: 100,
      onData: (stream, _, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          this.#count(Buffer.concat(chunks).toString('latin1'));
          setTimeout(done, Math.random() * 30);
        });
      },
    });
    server.on('error', () => {});
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.#server = server;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#server?.close(() => resolve()));
  }

  #count(text: string): void {
    const id = /^Message-ID: <([^@>]+)@/im.exec(text)?.[1] ?? 'none';
    this.arrived.set(id, (this.arrived.get(id) ?? 0) + 1);
  }
}
