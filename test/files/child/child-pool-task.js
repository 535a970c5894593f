// A child of child-pool.test.ts: misbehaves as its task says.
import { answerTasks, requestFromParent } from '../../../src/files/child/child-task.js';

/** @type {Record<string, () => unknown>} */
const BEHAVIOURS = {
  pid: () => process.pid,
  environment: () => Object.keys(process.env),
  loop: () => {
    for (;;);
  },
  heap: () => {
    const lists = [];
    for (;;) lists.push(new Array(1_000).fill(lists.length));
  },
  buffers: () => {
    const buffers = [];
    for (;;) buffers.push(Buffer.alloc(2 ** 20, 1));
  },
  crash: () => process.abort(),
  throw: () => {
    throw new Error('broken');
  },
  request: () => requestFromParent('ping'),
};

answerTasks((/** @type {string} */ task) => BEHAVIOURS[task]?.(), 512 * 2 ** 20);
