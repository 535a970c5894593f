import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../config/config.ts';
import { databaseClock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { sealFolderLinks } from '../domain/folders/folder-link.ts';
import type { Storage } from '../domain/kernel/context.ts';
import { sealer } from '../domain/keys/seal-key.ts';
import { signedUrlSecrets } from '../domain/keys/signing-key.ts';
import { sealKeys } from '../domain/keys/stored-key.ts';
import { diskStore } from '../files/store/disk.ts';
import type { BlobStore } from '../files/store/store.ts';
import { createSignedUrls } from '../files/transfer/signed-url.ts';
import { vault } from '../lib/seal.ts';
import { readCertificate, type SealCertificate, SealUnusable } from '../pdf/seal/certificate.ts';

/** The configured file store cannot be used. The message is one line for the operator. */
export class StorageUnusable extends Error {}

/**
 * Opens the file store and the keys. Throws DatabaseUnusable when the keys in the database are encrypted with another
 * key, SealUnusable when the operator's certificate or its key is unreadable or does not match, and StorageUnusable.
 */
export async function openStorage(config: Config, db: Database): Promise<Storage> {
  const { publicUrl, sealFiles } = config;
  await sealKeys(db);
  const secrets = await signedUrlSecrets(db);
  const secretVault = vault(secrets);
  await sealFolderLinks(db, secretVault);
  return {
    store: await openStore(config),
    signedUrls: createSignedUrls(secrets, publicUrl, await databaseClock(db)),
    sealer: sealer(db, sealFiles && (await readSealFiles(sealFiles))),
    vault: secretVault,
  };
}

async function readSealFiles(files: NonNullable<Config['sealFiles']>): Promise<SealCertificate> {
  const read = (file: string) =>
    readFile(file, 'utf8').catch((cause) => {
      throw new SealUnusable(`${file} is not readable (${cause.code})`, { cause });
    });
  return readCertificate(await read(files.certificate), await read(files.key), files.passphrase);
}

const FOLDER_PROBLEMS: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its quota is used up',
  ENOTDIR: 'a file is in its path',
  EEXIST: 'it is a file',
};

/**
 * Node reports ENOENT where a folder cannot be created in a file system that is read-only: what the nearest folder that exists
 * does not permit is the reason then.
 */
async function reasonOf(folder: string, error: NodeJS.ErrnoException): Promise<NodeJS.ErrnoException> {
  if (error.code !== 'ENOENT') return error;
  const denied: NodeJS.ErrnoException = await access(folder, constants.W_OK).then(
    () => error,
    (denied) => denied,
  );
  const parent = dirname(folder);
  return denied.code === 'ENOENT' && parent !== folder ? reasonOf(parent, error) : denied;
}

/** Files are kept there also beside a PostgreSQL server, unless they are in a bucket. */
async function refuseFolder(dataDir: string, error: NodeJS.ErrnoException): Promise<never> {
  const { code, message } = await reasonOf(dataDir, error);
  const problem = FOLDER_PROBLEMS[code ?? ''] ?? message;
  const advice = 'Set DATA_DIR to a folder for the files, or S3_BUCKET.';
  throw new StorageUnusable(`The data folder ${dataDir} cannot be used: ${problem}. ${advice}`, {
    cause: error,
  });
}

/** A full disk may let folders be created, and fail at the first file, which names the owner. */
async function openFolder(dataDir: string): Promise<BlobStore> {
  const refuse = (error: NodeJS.ErrnoException) => refuseFolder(dataDir, error);
  const store = await diskStore(`${dataDir}/files`).catch(refuse);
  return { ...store, own: (database, replace) => store.own(database, replace).catch(refuse) };
}

/** The S3 SDK is loaded only if it is used: it takes as long to load as everything else together. */
async function openStore({ s3, dataDir }: Config): Promise<BlobStore> {
  if (!s3) return openFolder(dataDir);
  const { s3Store } = await import('../files/store/s3.ts');
  return s3Store(s3).catch((error) => {
    const reason = error.name === 'Error' ? error.message : `${error.name}: ${error.message}`;
    throw new StorageUnusable(`The bucket ${s3.bucket} cannot be used: ${reason}`, { cause: error });
  });
}
