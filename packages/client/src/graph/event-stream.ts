import { ConnectionError } from '../errors.ts';
import { connectionError } from '../http/transport.ts';

export interface StreamEvent {
  event: string;
  data: string;
  id?: string;
}

/** Milliseconds without a byte after which the connection counts as lost. The server sends one every 10 seconds. */
const SILENCE = 30_000;

/** Reads server-sent events (HTML standard §9.2.6). Throws ConnectionError where the connection breaks or falls silent. */
export async function* eventsIn(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await readWithin(reader, SILENCE, signal);
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split(/\r\n\r\n|\n\n|\r\r/);
      text = blocks.pop() as string;
      for (const block of blocks) {
        const event = parse(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function readWithin(reader: Reader, milliseconds: number, signal: AbortSignal) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ConnectionError('The server has fallen silent.')), milliseconds);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } catch (error) {
    throw error instanceof ConnectionError ? error : connectionError(error, signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Undefined for a block of comments only. */
function parse(block: string): StreamEvent | undefined {
  const event: StreamEvent = { event: 'message', data: '' };
  const data: string[] = [];
  let isEvent = false;
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, field, value = ''] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    else if (field === 'event') event.event = value;
    else if (field === 'id' && !value.includes('\0')) event.id = value;
    else continue;
    isEvent = true;
  }
  return isEvent ? { ...event, data: data.join('\n') } : undefined;
}
