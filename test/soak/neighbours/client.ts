import { Agent, request } from 'node:http';

export interface Reply {
  status: number;
  text: string;
}

interface Call {
  method: string;
  /** Beginning with a slash; of a signed URL, whatever its host. */
  path: string;
  body?: string | Uint8Array;
  headers?: Record<string, string>;
}

const WAIT_LIMIT = 40_000;

/** One caller of the server, with a key, from an address of their own (all of 127.0.0.0/8 is this machine). */
export class Client {
  readonly #url: URL;
  readonly #key: string | undefined;
  readonly #agent: Agent;

  constructor(url: string, key: string | undefined, localAddress = '127.0.0.1') {
    this.#url = new URL(url);
    this.#key = key;
    this.#agent = new Agent({ keepAlive: true, localAddress });
  }

  /** Whatever the status. Rejects where no answer comes. */
  send({ method, path, body, headers }: Call, signal?: AbortSignal): Promise<Reply> {
    const authorization = this.#key && { authorization: `Bearer ${this.#key}` };
    const { hostname, port } = this.#url;
    return new Promise((resolve, reject) => {
      const call = request(
        {
          hostname,
          port,
          path,
          method,
          agent: this.#agent,
          timeout: WAIT_LIMIT,
          signal,
          headers: { ...authorization, ...headers, 'content-length': body?.length ?? 0 },
        },
        (response) => {
          let text = '';
          response.setEncoding('latin1');
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
          response.on('error', reject);
        },
      );
      call.on('timeout', () => call.destroy(new Error('no answer')));
      call.on('error', reject);
      call.end(body);
    });
  }

  /** Any status, with a JSON body. */
  sendJson(method: string, path: string, body?: unknown): Promise<Reply> {
    const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    return this.send({ method, path, body: text, headers: { 'content-type': 'application/json' } });
  }

  /** The data of an answer. Throws for errors. */
  // biome-ignore lint/suspicious/noExplicitAny: its shape is the query's
  async graph(query: string, variables?: object): Promise<any> {
    const { status, text } = await this.sendJson('POST', '/graphql', { query, variables });
    const { data, errors } = status < 500 ? JSON.parse(text) : { data: undefined, errors: undefined };
    if (status !== 200 || errors) throw new Error(`status ${status}: ${text.slice(0, 300)}`);
    return data;
  }

  /** A mutation with its input. */
  // biome-ignore lint/suspicious/noExplicitAny: its shape is the selection's
  async mutate(name: string, input: object, selection: string): Promise<any> {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
    const data = await this.graph(`mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`, {
      input,
    });
    return data[name];
  }
}

/** The part of a signed URL that does not depend on the public address of the server. */
export const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};
