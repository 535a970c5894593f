import { expect, it } from 'vitest';
import { inTransaction } from '../../../src/db/transaction.ts';
import { lockStore } from '../../../src/domain/maintenance/store-lock.ts';
import { removeUnreferencedObjects } from '../../../src/domain/maintenance/stored-objects.ts';
import { storeBytes } from '../../../src/files/store/store.ts';
import { newId } from '../../../src/lib/id.ts';
import { testDatabase } from '../../support/database.ts';
import { testStorage } from '../../support/storage.ts';

it.runIf(process.env.TEST_DATABASE_URL)(
  'a sweep removes no file while a transaction stores some whose rows are not committed (needs PostgreSQL)',
  async () => {
    const db = await testDatabase();
    const { store } = await testStorage(db);
    const key = newId('Blob');
    await inTransaction(db, async (tx) => {
      await lockStore(tx);
      await storeBytes(store, key, Buffer.from('content'));
      expect(await removeUnreferencedObjects(db, store)).toBe(0);
    });
    expect(await store.stat(key)).toMatchObject({ finished: true });
    await removeUnreferencedObjects(db, store);
    expect(await store.stat(key)).toBeUndefined();
  },
);
