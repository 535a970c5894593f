import { newId } from '../../../../src/lib/id.ts';
import { hashSecret, newSecret } from '../../../../src/lib/secret.ts';
import type { Resource } from '../measure.ts';
import type { Town } from '../town.ts';
import { keepSending } from '../wait.ts';

/** Of the passwords that were measured, one whose check takes longest. */
const PASSWORD = 'p4ssw0rd!1|'.repeat(90);

const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };

/** The path of a link to a new password, for each member of the aggressor. */
async function resetPaths({ aggressor, query }: Town): Promise<string[]> {
  const members = await query?.('SELECT user_id FROM memberships WHERE organization_id = $1', [
    aggressor.organizationId,
  ]);
  const paths: string[] = [];
  for (const { user_id: userId } of members?.rows ?? []) {
    const secret = newSecret('dgl_');
    await query?.(
      `INSERT INTO account_tokens (id, user_id, secret_hash, expires_at) VALUES ($1, $2, $3, now() + interval '1 hour')`,
      [newId('AccountToken'), userId, Buffer.from(hashSecret(secret))],
    );
    paths.push(`/password/reset/${secret}`);
  }
  return paths;
}

/** Posts to links of new passwords, eight a second, until they are refused for an hour. */
export const passwords: Resource = {
  async aggress(town, signal) {
    const paths = await resetPaths(town);
    const body = Buffer.from(new URLSearchParams({ password: PASSWORD }).toString());
    await keepSending(
      125,
      (turn) =>
        town.aggressor.anonymous.send({
          method: 'POST',
          path: paths[turn % paths.length] as string,
          body,
          headers: FORM,
        }),
      signal,
    );
  },
};
