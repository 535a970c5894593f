// A process of child-pool.test.ts that starts a child, has it loop for ever, and reports its process id.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const child = fork(fileURLToPath(new URL('./child-pool-task.js', import.meta.url)));
child.once('message', (/** @type {{ answer: number }} */ { answer }) => {
  child.send({ task: 'loop', memory: 0 });
  process.send?.(answer);
});
child.send({ task: 'pid', memory: 0 });
