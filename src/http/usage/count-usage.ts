import type { Context as Call } from 'hono';
import { isApplication, type Viewer } from '../../domain/kernel/viewer.ts';
import { typeOfId } from '../../lib/id.ts';
import type { UsageRecorder } from './usage-recorder.ts';

/** Notes whose use a request is: that of an application or an API key, and of nobody for a browser session or a public link. */
export function noteCaller(call: Call, viewer: Viewer): void {
  const { credentialId, clientId } = viewer;
  const usedBy = isApplication(viewer)
    ? clientId
    : typeOfId(credentialId) === 'ApiKey'
      ? credentialId
      : undefined;
  call.set('usedBy', usedBy);
}

/** Adds points that an operation of the request cost. */
export const notePoints = (call: Call, points: number): void =>
  call.set('points', (call.get('points') ?? 0) + points);

/** Counts a request that is answered, `ms` after it arrived. */
export function countUsage(recorder: UsageRecorder, call: Call, ms: number): void {
  const usedBy: string | undefined = call.get('usedBy');
  if (!usedBy) return;
  const { status } = call.res;
  const failure = call.get('failure') ?? (status >= 400 ? `HTTP_${status}` : undefined);
  recorder.record({
    usedBy,
    ms,
    failure,
    points: call.get('points') ?? 0,
    deprecated: call.get('deprecated') ?? [],
  });
}
