import { describe, expect, it, vi } from 'vitest';
import { eventStream } from '../../../src/graph/http/event-stream.ts';
import type { SubscriptionResult } from '../../../src/graph/operations/subscribe.ts';

const TIMES = { heartbeat: 20, patience: 100 };
const tooSlow = { data: { slow: true } };

/** A stream of endless results, or of `count` results and then silence; `produced` counts them. */
function stream(count = Number.POSITIVE_INFINITY) {
  const state = { produced: 0, ended: false, returned: false };
  async function* results(): AsyncGenerator<SubscriptionResult> {
    try {
      while (state.produced < count) {
        state.produced++;
        yield { result: { data: { number: state.produced } }, id: String(state.produced) };
      }
      if (count > 0) await new Promise((resolve) => setTimeout(resolve, 300));
    } finally {
      state.returned = true;
    }
  }
  const end = () => {
    state.ended = true;
  };
  return { state, response: eventStream({ results: results(), end, tooSlow }, TIMES) };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('an event stream', () => {
  it('produces no more results than the reader reads', async () => {
    const { state, response } = stream();
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.read();
    await pause(30);
    expect(state.produced).toBeLessThanOrEqual(3);
    await reader?.cancel();
  });

  it('sends a reader that does not read the "too slow" result, releases the source, and ends', async () => {
    const { state, response } = stream();
    const reader = response.body?.getReader();
    await reader?.read();
    await vi.waitUntil(() => state.ended && state.returned, { timeout: 20_000 });
    let text = '';
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      text += new TextDecoder().decode(part.value);
    expect(text).toContain('event: next\ndata: {"data":{"slow":true}}\n\nevent: complete\ndata:\n\n');
  });

  it('fails for a reader that does not read that result either', async () => {
    const { response } = stream();
    const reader = response.body?.getReader();
    await expect(reader?.closed).rejects.toThrow('The reader has stopped reading.');
  });

  it('sends heartbeats while there are no results, and ends with a complete event', async () => {
    const { state, response } = stream(1);
    const text = await response.text();
    expect(text).toMatch(
      /^:\n\nid: 1\nevent: next\ndata: \{"data":\{"number":1\}\}\n\n(:\n\n){2,}event: complete\ndata:\n\n$/,
    );
    expect(state.ended).toBe(true);
  });

  it('sends a position as an id alone, which dispatches no event', async () => {
    async function* results(): AsyncGenerator<SubscriptionResult> {
      yield { id: '7' };
    }
    const text = await eventStream({ results: results(), end: () => {}, tooSlow }, TIMES).text();
    expect(text).toBe(':\n\nid: 7\n\nevent: complete\ndata:\n\n');
  });

  it('releases the source when the reader cancels', async () => {
    const { state, response } = stream();
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await vi.waitUntil(() => state.ended && state.returned, { timeout: 20_000 });
  });
});
