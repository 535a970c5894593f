// The load, in a process of its own: reads what to send from its argument, and prints what came back.
import autocannon from 'autocannon';

const { warmUp, seconds, ...options } = JSON.parse(process.argv[2]);
const began = performance.now();
const answered = new Set();
const waits = [];
const count = { warm: 0, failed: 0 };
let opened = Number.NaN;

/** Measured on connections that are there: what it takes to open them all at once is a figure of its own. */
const load = autocannon({ ...options, duration: warmUp + seconds });
load.on('response', (client, status, _, ms) => {
  const now = performance.now() - began;
  if (status !== 200) count.failed++;
  if (now < warmUp * 1_000) count.warm++;
  else waits.push(ms);
  answered.add(client);
  if (Number.isNaN(opened) && answered.size === options.connections) opened = now;
});
const { errors, timeouts } = await load;
const measured = (performance.now() - began) / 1_000 - warmUp;
waits.sort((a, b) => a - b);
const quantile = (part) => waits[Math.floor(waits.length * part)];
console.log(
  JSON.stringify({
    rate: waits.length / measured,
    total: waits.length,
    warm: count.warm,
    p50: quantile(0.5),
    p99: quantile(0.99),
    opened,
    failed: count.failed + errors + timeouts,
  }),
);
