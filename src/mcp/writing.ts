import { z } from 'zod';

export const commentInput = z.string().min(1).max(10_000).describe('Plain text.');

/** A request of an agent that did not get an answer is repeated: the id of a JSON-RPC request is only unique within a session. */
export const requestKeyInput = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .describe('Your own name for this change. Sent again with the same one, it is not made twice (24 hours).');
