import { describe, expect, it, vi } from 'vitest';
import { eventStream } from '../../../src/graph/http/event-stream.ts';
import type { SubscriptionResult } from '../../../src/graph/operations/subscribe.ts';

const TIMES = { heartbeat: 20, patience: 100 };
const tooSlow = { data: { slow: true } };

/** Answers without end, or those given and then a long silence; `made` counts them. */
function answers(count = Number.POSITIVE_INFINITY) {
  const state = { made: 0, ended: false, returned: false };
  async function* told(): AsyncGenerator<SubscriptionResult> {
    try {
      while (state.made < count) {
        state.made++;
        yield { result: { data: { number: state.made } }, id: String(state.made) };
      }
      if (count > 0) await new Promise((resolve) => setTimeout(resolve, 300));
    } finally {
      state.returned = true;
    }
  }
  const end = () => {
    state.ended = true;
  };
  return { state, response: eventStream({ results: told(), end, tooSlow }, TIMES) };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('an event stream', () => {
  it('makes no more answers than the reader takes', async () => {
    const { state, response } = answers();
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.read();
    await pause(30);
    expect(state.made).toBeLessThanOrEqual(3);
    await reader?.cancel();
  });

  it('tells a reader that takes nothing that it is too slow, lets go of the source, and ends', async () => {
    const { state, response } = answers();
    const reader = response.body?.getReader();
    await reader?.read();
    await vi.waitUntil(() => state.ended);
    await pause(5);
    expect(state.returned).toBe(true);
    let text = '';
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      text += new TextDecoder().decode(part.value);
    expect(text).toContain('event: next\ndata: {"data":{"slow":true}}\n\nevent: complete\ndata:\n\n');
  });

  it('cuts off a reader that does not take even that', async () => {
    const { response } = answers();
    await pause(1_000);
    await expect(response.text()).rejects.toThrow('the reader takes nothing');
  });

  it('gives signs of life while nothing happens, and ends as the protocol says', async () => {
    const { state, response } = answers(1);
    const text = await response.text();
    expect(text).toMatch(
      /^:\n\nid: 1\nevent: next\ndata: \{"data":\{"number":1\}\}\n\n(:\n\n){2,}event: complete\ndata:\n\n$/,
    );
    expect(state.ended).toBe(true);
  });

  it('lets go of the source when the reader leaves', async () => {
    const { state, response } = answers();
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await pause(5);
    expect(state).toMatchObject({ ended: true, returned: true });
  });
});
