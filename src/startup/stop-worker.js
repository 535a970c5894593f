import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

setTimeout(() => {
  writeSync(2, 'The server did not stop in time and is killed.\n');
  process.kill(process.pid, 'SIGKILL');
}, workerData);
