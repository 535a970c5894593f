import { connect, type Socket } from 'node:net';

export interface RequestHead {
  path: string;
  method?: string;
  headers?: Record<string, string>;
}

/** A connection on which the test sends what it likes, and reads what comes back. */
export interface RawConnection {
  socket: Socket;
  /** What the server has sent. */
  readonly answer: string;
  /** The status of the answer; undefined before it. */
  readonly status: number | undefined;
  readonly closed: boolean;
}

export function rawConnection(port: number, localAddress?: string): RawConnection {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  let answer = '';
  let closed = false;
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    closed = true;
  });
  return {
    socket,
    get answer() {
      return answer;
    },
    get status() {
      return Number(/^HTTP\/1.1 (\d{3})/.exec(answer)?.[1]) || undefined;
    },
    get closed() {
      return closed;
    },
  };
}

export const headText = ({ path, method = 'POST', headers = {} }: RequestHead): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: docgraph.test',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

/** Sends the headers of a request and one byte of its body, and nothing more. */
export function startRequest(port: number, head: RequestHead, length = 1_000): RawConnection {
  const connection = rawConnection(port);
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    ...head.headers,
    'Content-Length': `${length}`,
  };
  connection.socket.write(`${headText({ ...head, headers })}x`);
  return connection;
}
