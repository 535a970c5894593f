import { holdsSecret } from '../../lib/secret.ts';
import { conflict } from '../kernel/errors.ts';
import { isApplication, type Viewer } from '../kernel/viewer.ts';

export const HEADER = 'Idempotency-Key';

/** Bytes of an answer as it is stored. Of a longer one only the ids in it are. */
const MAX_ANSWER = 256 * 1_024;

/** Ids that are kept of a longer answer. */
const MAX_IDS = 100;

/** Keys are unique per owner: two users or applications may choose the same one. */
export const ownerOf = (viewer: Viewer): string =>
  isApplication(viewer) ? viewer.credentialId : (viewer.link ?? viewer.userId);

const credentialOf = ({ credentialId, link }: Viewer): string => credentialId || (link ?? '');

/** Starts the line with the credential that an answer is restricted to; answers are JSON and cannot start with it. */
const CREDENTIAL_PREFIX = 'only ';

/** Starts the line with the ids of an answer that was too long. */
const LONG_PREFIX = 'long ';

/** The text to store for an answer. */
export function toStoredAnswer(viewer: Viewer, answer: string): string {
  if (Buffer.byteLength(answer) > MAX_ANSWER) return LONG_PREFIX + idsIn(answer).join(' ');
  return holdsSecret(answer) ? `${CREDENTIAL_PREFIX}${credentialOf(viewer)}\n${answer}` : answer;
}

/** In JSON, or in JSON within a string of JSON. */
const ID_MEMBER = /"id\\?":\s*\\?"([a-z]{2,8}_[0-9a-z]{26})\b/gi;

function idsIn(answer: string): string[] {
  const ids = new Set<string>();
  for (const [, id] of answer.matchAll(ID_MEMBER)) {
    ids.add(id as string);
    if (ids.size >= MAX_IDS) break;
  }
  return [...ids];
}

/**
 * Returns the answer without its credential line. Throws CONFLICT if it was too long, or if it contains a secret and the request uses
 * another credential: a leaked credential must not reveal secrets created with another one.
 */
export function fromStoredAnswer(viewer: Viewer, stored: string): string {
  if (stored.startsWith(LONG_PREFIX)) throw tooLong(stored.slice(LONG_PREFIX.length));
  if (!holdsSecret(stored)) return stored;
  const prefix = `${CREDENTIAL_PREFIX}${credentialOf(viewer)}\n`;
  if (stored.startsWith(prefix)) return stored.slice(prefix.length);
  throw conflict(
    `The first request with this ${HEADER} was carried out with another credential, and its answer shows a secret. Read what came of it.`,
    HEADER,
  );
}

const tooLong = (ids: string) =>
  conflict(
    `The first request with this ${HEADER} was carried out, and its answer had more than ${MAX_ANSWER} bytes, which is not stored. Read what came of it${ids && `. First ids in the answer: ${ids}`}.`,
    HEADER,
  );
