import { type Certificate, fingerprint } from '../../verify/certificate.js';
import { nodeSuite } from '../../verify/node-suite.ts';
import type { CheckedSeal } from '../../verify/seal.js';
import { checkToken, type Stamp, StampBroken } from '../../verify/time-stamp.js';
import type { TokenToCheck } from '../../verify/updates.js';

/** Checks the time-stamps of a seal and of the file after it, if there are any. `authorities`: see checkEvidence. */
export async function checkSealStamps(
  { timeStamp, documentStamps }: CheckedSeal,
  authorities: readonly Certificate[],
): Promise<{ errors: string[]; summary: string[] }> {
  const errors: string[] = [];
  const summary: string[] = [];
  const check = async (name: string, token: TokenToCheck, verb: string) => {
    const stamp = await readStamp(token, authorities);
    if (typeof stamp === 'string') errors.push(`${name} ${stamp}.`);
    else
      summary.push(`${verb} before ${stamp.time.toISOString()}, by the time-stamp of ${await named(stamp)}.`);
  };
  if (timeStamp) await check('The time-stamp of the seal', timeStamp, 'Sealed');
  for (const each of documentStamps)
    await check('A time-stamp of the sealed file', each, 'The file as sealed existed');
  return { errors, summary };
}

const named = async ({ authority, certificate }: Stamp): Promise<string> =>
  `${authority} (SHA-256 ${await fingerprint(nodeSuite, certificate)})`;

/** What a time-stamp says, or what is wrong with it. */
async function readStamp(
  { token, digest }: TokenToCheck,
  authorities: readonly Certificate[],
): Promise<Stamp | string> {
  try {
    const stamp = await checkToken(nodeSuite, token, digest, authorities);
    const isAccepted = authorities.length === 0 || stamp.isTrusted;
    return isAccepted ? stamp : 'is not by an authority under the given certificate';
  } catch (error) {
    if (error instanceof StampBroken) return error.message;
    throw error;
  }
}
