import pino from 'pino';
import { expect, it } from 'vitest';
import { newId } from '../../src/lib/id.ts';
import { warnOfForeignPasskeys } from '../../src/startup/passkey-warning.ts';
import { newAccount } from '../support/browser.ts';
import { newDatabase } from '../support/database.ts';

it('passkeys of another host than that of PUBLIC_URL are told at the start', async () => {
  const db = await newDatabase();
  const account = await newAccount(db);
  const add = (relyingPartyId: string) => {
    const id = newId('Passkey');
    const bytes = Uint8Array.from(Buffer.from(id));
    const credential = { credentialId: bytes, publicKey: bytes, counter: 0n, transports: [] };
    return db.prisma.passkey.create({
      data: { ...credential, id, userId: account.id, name: 'Key', relyingPartyId },
    });
  };
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) });
  await add('docs.example');
  await warnOfForeignPasskeys(db, 'https://docs.example:8443/', log);
  expect(lines).toEqual([]);
  await add('old.example');
  await add('old.example');
  await warnOfForeignPasskeys(db, 'https://docs.example/', log);
  expect(lines).toMatchObject([{ passkeys: 2, accounts: 1, hosts: ['old.example'] }]);
  expect(lines[0]?.msg).toContain('old.example and do not work at docs.example');
});
