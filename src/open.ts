import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { CountTries } from './auth/tries.ts';
import type { Config } from './config/config.ts';
import { ConfigError } from './config/config.ts';
import { databaseClock } from './db/clock.ts';
import { type Database, DatabaseUnusable } from './db/database.ts';
import { lockFolder } from './db/lock.ts';
import { sealFolderLinks } from './domain/folders/folder-link.ts';
import type { Storage } from './domain/kernel/context.ts';
import { sealKeys } from './domain/keys/kept-key.ts';
import { sealer } from './domain/keys/seal-key.ts';
import { addressSecrets } from './domain/keys/signing-key.ts';
import { isInstalled } from './files/content/ocr/ocr.ts';
import type { Recognition } from './files/content/text/ocr-text.ts';
import { diskStore } from './files/store/disk.ts';
import type { BlobStore } from './files/store/store.ts';
import { signedAddresses } from './files/transfer/signed-url.ts';
import { type PersistedOperations, readManifest } from './graph/http/persisted.ts';
import { vault } from './lib/seal.ts';
import { readCertificate, type SealCertificate, SealUnusable } from './pdf/seal/certificate.ts';

/** The database that the configuration names, migrated. Throws DatabaseUnusable. What it takes is loaded for this one alone. */
export async function openDatabase(
  config: Config,
  say: (line: string) => void,
  onError: (error: Error) => void,
): Promise<Database> {
  const keyVault = config.encryptionKeys && vault(config.encryptionKeys);
  if (config.databaseUrl) {
    say(`Opening PostgreSQL at ${new URL(config.databaseUrl).host} …`);
    const { openPostgres } = await import('./db/postgres/postgres.ts');
    return openPostgres({
      url: config.databaseUrl,
      pool: config.databasePool,
      connectPatience: config.databaseWait,
      statementTimeout: config.limits.request,
      keyVault,
      onError,
    });
  }
  say(`Opening the embedded database in ${config.dataDir} …`);
  await lockFolder(config.dataDir);
  const { openPglite } = await import('./db/pglite/pglite.ts');
  return openPglite({ folder: `${config.dataDir}/pg`, sync: config.embeddedSync, keyVault, onError });
}

/**
 * Throws DatabaseUnusable when the keys in the database are sealed with another one, and SealUnusable when the operator's
 * own certificate or key cannot be read, or do not belong together.
 */
export async function openStorage(config: Config, db: Database): Promise<Storage> {
  const { publicUrl, sealFiles } = config;
  await sealKeys(db);
  const secrets = await addressSecrets(db);
  const sealing = vault(secrets);
  await sealFolderLinks(db, sealing);
  return {
    store: await openStore(config),
    signedUrls: signedAddresses(secrets, publicUrl, await databaseClock(db)),
    sealer: sealer(db, sealFiles && (await readSeal(sealFiles))),
    vault: sealing,
  };
}

async function readSeal(files: NonNullable<Config['sealFiles']>): Promise<SealCertificate> {
  const read = (file: string) =>
    readFile(file, 'utf8').catch((cause) => {
      throw new SealUnusable(`${file} is not readable (${cause.code})`, { cause });
    });
  return readCertificate(await read(files.certificate), await read(files.key), files.passphrase);
}

/** Who counts tries with the other processes, where there is a Redis. */
export async function openRedis(
  { redisUrl: url, redisPrefix: prefix }: Config,
  log: Logger,
): Promise<{ countTries?: CountTries; close?: () => Promise<void> }> {
  if (!url) return {};
  const { triesInRedis } = await import('./auth/tries-in-redis.ts');
  return triesInRedis({ url, prefix, say: (line) => log.warn(line) });
}

/** The SDK is loaded only where it is used: it takes as long as all the rest. */
async function openStore({ s3, dataDir }: Config): Promise<BlobStore> {
  if (!s3) return diskStore(`${dataDir}/files`);
  const { s3Store } = await import('./files/store/s3.ts');
  return s3Store(s3).catch((error) => {
    const reason = error.name === 'Error' ? error.message : `${error.name}: ${error.message}`;
    throw new StorageUnusable(`The bucket ${s3.bucket} cannot be used: ${reason}`, { cause: error });
  });
}

/** The files cannot be kept where the configuration says, told in one line. */
class StorageUnusable extends Error {}

/** The operations that the configuration registers. Throws ConfigError for a file that is no manifest of the graph's. */
export async function openPersisted({
  persistedOperations,
}: Config): Promise<PersistedOperations | undefined> {
  if (!persistedOperations) return undefined;
  const { file, only } = persistedOperations;
  try {
    return { byHash: readManifest(await readFile(file, 'utf8')), only };
  } catch (error) {
    throw new ConfigError(`PERSISTED_OPERATIONS: ${file} is not usable: ${(error as Error).message}`);
  }
}

/** How text in pictures is recognised, if it is. Throws ConfigError where the data of a language is not installed. */
export function openRecognition({ ocrLanguages }: Config, stopping: AbortSignal): Recognition | undefined {
  const missing = ocrLanguages.filter((each) => !isInstalled(each));
  if (missing.length > 0)
    throw new ConfigError(
      `OCR_LANGUAGES: run npm install ${missing.map((each) => `@tesseract.js-data/${each}`).join(' ')}`,
    );
  return ocrLanguages.length > 0 ? { languages: ocrLanguages, stopping } : undefined;
}

/** One readable line for what a person can put right; anything else is a fault of ours, and shown whole. */
export function explain(error: unknown): unknown {
  if ([ConfigError, DatabaseUnusable, StorageUnusable].some((kind) => error instanceof kind))
    return (error as Error).message;
  if (error instanceof SealUnusable) return `Documents cannot be sealed: ${error.message}.`;
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken: stop what listens there, or set PORT to another number.`;
  if (code === 'EACCES' && port)
    return `Port ${port} is not allowed for this user: set PORT to a number above 1023.`;
  return error;
}
