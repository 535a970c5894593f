import { setTimeout } from 'node:timers/promises';

/** The parts of demo.json that the tour uses. */
export interface Demo {
  url: string;
  organizationId: string;
  projectId: string;
  signingUrl: string;
  formUrl: string;
  owner: { email: string; password: string; apiKey: string };
  confidentialClient: { client_id: string; client_secret: string; redirect_uri: string };
}

/** One area of the product: its requests, and what has to hold of their answers. */
export interface Step {
  title: string;
  run: (tour: Tour) => Promise<void>;
}

/** Something that a step requires does not hold. */
export class TourError extends Error {}

interface Call {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | URLSearchParams;
  /** The expected status. */
  status?: number;
  /** Without the owner's API key. */
  anonymous?: boolean;
}

const SHOWN = 240;

const short = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)} …` : text;

const withoutSecrets = (text: string): string => text.replace(/\b(dg[a-z]_|eyJ)[\w.-]{16,}/g, '$1…');

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Values of JSON answers, as the steps read them. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is that of each query
type Json = any;

/** What a request or a background job may take, in seconds. */
const PATIENCE = 120;

/** Calls `read` every second until it returns something; undefined if that takes too long. */
export async function waitFor<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  for (let tries = 0; tries < PATIENCE; tries++) {
    const value = await read();
    if (value) return value;
    await setTimeout(1_000);
  }
  return undefined;
}

/** Sends the requests of the steps as the owner of the demo workspace, and prints each with its shortened answer. */
export class Tour {
  readonly demo: Demo;
  readonly #print: (line: string) => void;
  /** Ids of objects that an earlier step created. */
  documentId = '';

  constructor(demo: Demo, print: (line: string) => void) {
    this.demo = demo;
    this.#print = print;
  }

  /** Throws TourError unless the condition holds. */
  require(condition: unknown, claim: string): void {
    if (!condition) throw new TourError(`This does not hold: ${claim}.`);
    this.#print(`  ✓ ${claim}`);
  }

  /** Runs a GraphQL operation; returns its data. */
  async graph(query: string, variables?: Record<string, unknown>): Promise<Json> {
    const response = await this.send('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors }: Json = await response.json();
    this.note(`POST /graphql ${oneLine(query)}`, JSON.stringify(errors ?? data));
    if (errors) throw new TourError(errors[0].message);
    return data;
  }

  /** Calls a route of REST v1 below the demo's project, or from `/`; returns the JSON of its answer. */
  async rest(method: string, path: string, body?: unknown, status = 200): Promise<Json> {
    const { organizationId, projectId } = this.demo;
    const base = `/api/v1/organizations/${organizationId}/projects/${projectId}/`;
    const url = path.startsWith('/') ? `/api/v1${path}` : `${base}${path}`;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const response = await this.send(url, { method, body: text, status });
    return JSON.parse(
      await this.#show(response, [method, url.replace(base, '…/'), text].filter(Boolean).join(' ')),
    );
  }

  /** Sends a request and prints it with the beginning of its answer; returns the text of the answer. */
  async show(url: string, call: Call = {}): Promise<string> {
    return this.#show(await this.send(url, call), `${call.method ?? 'GET'} ${url}`);
  }

  /** Sends a request without printing it. Throws TourError for another status than expected. */
  async send(url: string, call: Call = {}): Promise<Response> {
    const { method = 'GET', headers, body, status = 200, anonymous } = call;
    const key = anonymous ? undefined : { authorization: `Bearer ${this.demo.owner.apiKey}` };
    const target = new URL(url, this.demo.url);
    const sent = {
      method,
      headers: { ...key, ...headers },
      body,
      redirect: 'manual' as const,
      signal: AbortSignal.timeout(PATIENCE * 1_000),
    };
    const response = await fetch(target, sent).catch((error) => {
      throw new TourError(`${target.origin} does not answer (${error.cause?.code ?? error.message}).`);
    });
    if (response.status === status) return response;
    const text = short(oneLine(await response.text()), SHOWN);
    const request = withoutSecrets(`${method} ${target.pathname}`);
    throw new TourError(`${request} answered ${response.status}, not ${status}: ${text}`);
  }

  /** The session cookie of the owner, who signs in as in a browser. */
  async signIn(): Promise<string> {
    const { url, owner } = this.demo;
    const body = new URLSearchParams({ email: owner.email, password: owner.password });
    const headers = { origin: new URL(url).origin };
    const sent = { method: 'POST', headers, body, anonymous: true, status: 303 };
    const response = await this.send('/sign-in', sent);
    this.note('POST /sign-in', '303');
    return response.headers.get('set-cookie')?.split(';')[0] ?? '';
  }

  /** Prints a request that `send` sent, and what came of it. */
  note(request: string, answer: string): void {
    this.#print(`  ${short(withoutSecrets(request), SHOWN)}`);
    this.#print(`    → ${short(withoutSecrets(answer), SHOWN)}`);
  }

  async #show(response: Response, request: string): Promise<string> {
    const text = await response.text();
    const isPage = response.headers.get('content-type')?.startsWith('text/html');
    const title = isPage ? /<title>([^<]*)/.exec(text)?.[1] : undefined;
    this.note(short(request, SHOWN), `${response.status} ${title ?? oneLine(text)}`.trim());
    return text;
  }
}
