export interface Frame {
  event?: string;
  data?: string;
  id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: its shape is the subscription's
  json?: any;
}

export interface Reader {
  status: number;
  headers: Headers;
  /** The next frame with an event; undefined at the end. Throws where the connection breaks. */
  next(): Promise<Frame | undefined>;
  /** So many of them. */
  take(count: number): Promise<Frame[]>;
  /** Signs of life so far. */
  beats(): number;
  cut(): void;
}

/** A sign of life, or the position before the first event. */
const SILENT = /^(:|id: \d+)$/;

/** Reads server-sent events of a subscription, as a client does. Source: the HTML standard §9.2.6. */
export async function subscribe(
  url: string,
  key: string,
  query: string,
  variables: object = {},
  headers: Record<string, string> = {},
): Promise<Reader> {
  const aborting = new AbortController();
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
    signal: aborting.signal,
  });
  const chunks = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let beats = 0;
  const next = async (): Promise<Frame | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        if (!SILENT.test(block)) return frameOf(block);
        if (block === ':') beats++;
        continue;
      }
      const chunk = await chunks?.read();
      if (!chunk || chunk.done) return undefined;
      text += chunk.value;
    }
  };
  return {
    status: answer.status,
    headers: answer.headers,
    next,
    async take(count) {
      const frames: Frame[] = [];
      while (frames.length < count) {
        const frame = await next();
        if (!frame) break;
        frames.push(frame);
      }
      return frames;
    },
    beats: () => beats,
    cut: () => aborting.abort(),
  };
}

function frameOf(block: string): Frame {
  const frame: Frame = {};
  for (const line of block.split('\n')) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name) frame[name as 'event' | 'data' | 'id'] = value ?? '';
  }
  return { ...frame, json: frame.data ? JSON.parse(frame.data) : undefined };
}
