import { randomBytes } from 'node:crypto';
import { newSecret } from '../../../../src/lib/secret.ts';
import { Client } from '../client.ts';
import type { Resource } from '../measure.ts';
import { keepSending } from '../wait.ts';

const { TEST_REDIS_URL } = process.env;

/** Requests above their limits, with keys that do not exist and from many networks, each of which Redis counts. */
export const redis: Resource = {
  env: TEST_REDIS_URL
    ? { REDIS_URL: TEST_REDIS_URL, REDIS_PREFIX: `docgraph_soak_${randomBytes(5).toString('hex')}:` }
    : {},
  aggress: ({ aggressor }, signal) =>
    keepSending(
      5,
      (turn) => {
        const address = `127.0.${1 + (turn % 50)}.${1 + (turn % 200)}`;
        const stranger = new Client(aggressor.url, newSecret('dgk_'), address);
        return turn % 2 ? stranger.graph('{ __typename }') : aggressor.owner.graph('{ __typename }');
      },
      signal,
    ),
};
