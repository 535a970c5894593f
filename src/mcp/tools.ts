import { documentTools } from './document-tools.ts';
import { listTools } from './list-tools.ts';
import { taskTools } from './task-tools.ts';
import type { Tool } from './tool.ts';

/**
 * All tools, in the order in which they are listed. Left out on purpose: whatever sends what was read to an address (webhooks, shared
 * forms, requests to sign, assignees, signed URLs), decides in the name of a person (approvals, signatures), or removes for good, and
 * members, keys and applications.
 */
export const tools: Tool[] = [...documentTools, ...listTools, ...taskTools].sort((a, b) =>
  a.name < b.name ? -1 : 1,
);
