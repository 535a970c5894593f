// The load, in a process of its own: reads what to send from its argument, and prints what came back.
import autocannon from 'autocannon';

const { warmUp, seconds, ...options } = JSON.parse(process.argv[2]);
const warm = await autocannon({ ...options, duration: warmUp });
const { requests, latency, duration, errors, timeouts, non2xx } = await autocannon({
  ...options,
  duration: seconds,
});
console.log(
  JSON.stringify({
    rate: requests.total / duration,
    total: requests.total,
    warm: warm.requests.total,
    p50: latency.p50,
    p99: latency.p99,
    failed: errors + timeouts + non2xx,
  }),
);
