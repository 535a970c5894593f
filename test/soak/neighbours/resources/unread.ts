import { connect } from 'node:net';
import type { Resource } from '../measure.ts';
import type { Tenant } from '../town.ts';
import { keepBusy } from '../wait.ts';

/** 40 tasks and 40 in each, with 15 MiB of text: the largest response that is allowed. */
const NESTED = `query ($id: ID!) { project(id: $id) { tasks(first: 40) { nodes { project { tasks(first: 40) { nodes { description } } } } } } }`;

const TASKS = Array.from({ length: 40 }, (_, index) => ({
  name: `Task ${index}`,
  description: 'x'.repeat(9_900),
}));

/** Requests a large response, and reads nothing of it but its status. Resolves when the connection is closed; rejects if refused. */
function leaveUnread({ url, keys, projectId }: Tenant, turn: number, signal: AbortSignal): Promise<void> {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify({ query: NESTED, variables: { id: projectId } });
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: '127.0.0.2' });
    const close = () => socket.destroy();
    signal.addEventListener('abort', close, { once: true });
    socket.on('error', () => {});
    socket.on('close', () => {
      signal.removeEventListener('abort', close);
      resolve();
    });
    socket.once('data', (chunk) => {
      if (chunk.toString().startsWith('HTTP/1.1 200')) return socket.pause();
      reject(new Error('refused'));
      return close();
    });
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${keys[turn % keys.length]}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  });
}

/** Large responses that nobody reads, on forty connections from 20 keys. */
export const unread: Resource = {
  async prepare({ aggressor }) {
    const input = { projectId: aggressor.projectId, tasks: TASKS };
    await aggressor.owner.mutate('createTasks', input, 'tasks { id }');
  },
  aggress: ({ aggressor }, signal) => keepBusy(40, (turn) => leaveUnread(aggressor, turn, signal), signal),
};
