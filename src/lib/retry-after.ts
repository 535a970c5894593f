import { SECOND } from './time.ts';

/** HTTP-date in any of its three forms (RFC 9110 §5.6.7); the form of asctime has no zone, and is in UTC. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? [\dA-Z].*?(GMT)?$/;

/** The milliseconds to wait by a Retry-After header (RFC 9110 §10.2.3); undefined for a value that is neither form. */
export function parseRetryAfter(value: string, now = Date.now()): number | undefined {
  if (/^\d+$/.test(value)) return Number(value) * SECOND;
  const [isDate, zone] = HTTP_DATE.exec(value) ?? [];
  const time = isDate ? Date.parse(zone ? value : `${value} GMT`) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
