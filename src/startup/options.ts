import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { NewRateLimiter } from '../auth/rate-limiter.ts';
import { type Config, ConfigError } from '../config/config.ts';
import { isInstalled } from '../files/content/ocr/ocr.ts';
import type { Recognition } from '../files/content/text/ocr-pages.ts';
import { type PersistedOperations, readManifest } from '../graph/http/persisted.ts';
import type { MailService } from '../mail/mailer.ts';
import { type TimeStamper, timeStamper } from '../timestamp/authority.ts';
import { type Certificate, readCertificates } from '../verify/certificate.js';
import { openOffice } from './office.ts';

/** Rate limiters that all processes share, if Redis is configured. */
export async function openRateLimiters(
  { redisUrl: url, redisPrefix: prefix }: Config,
  log: Logger,
): Promise<{ newRateLimiter?: NewRateLimiter; close?: () => Promise<void> }> {
  if (!url) return {};
  const { redisRateLimiters } = await import('../auth/redis-rate-limiter.ts');
  return redisRateLimiters({ url, prefix, warn: (line) => log.warn(line) });
}

/** The configured persisted operations, if any. Throws ConfigError for a file that is not a valid manifest. */
export async function readPersistedOperations({
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

/** What background work uses beside the data. Throws ConfigError. */
export const openServices = async (config: Config, stopping: AbortSignal) => ({
  recognition: textRecognition(config, stopping),
  ...(await openOffice(config)),
  mail: await openMail(config),
  timeStamper: await openTimeStamper(config),
  timeStampRoots: await readTrust(config),
});

/** Where mails go. Throws ConfigError for a file that cannot be read. */
async function openMail({ mail }: Config): Promise<MailService> {
  const { dkim, ...address } = mail.sender;
  if (mail.target !== 'SMTP') return { ...mail, sender: address };
  const { server, perSecond, caFile } = mail;
  const ca = caFile ? await readSetting('SMTP_CA', caFile) : undefined;
  const key = dkim && { ...dkim, privateKey: await readSetting('DKIM_KEY', dkim.keyFile) };
  const { SmtpMailer } = await import('../mail/mailer.ts');
  const smtp = new SmtpMailer({ ...server, ca }, perSecond);
  return { target: 'SMTP', sender: { ...address, dkim: key }, smtp };
}

/** Asks the configured authorities for time-stamps; undefined without any. Throws ConfigError for a file that is not usable. */
export async function openTimeStamper({ timeStamps }: Config): Promise<TimeStamper | undefined> {
  if (!timeStamps) return undefined;
  return timeStamper({ urls: timeStamps.urls, roots: await readTrust({ timeStamps }) });
}

/** The certificates of TSA_TRUST. */
async function readTrust({ timeStamps }: Pick<Config, 'timeStamps'>): Promise<Certificate[]> {
  const file = timeStamps?.trust;
  if (!file) return [];
  const text = await readSetting('TSA_TRUST', file);
  try {
    return readCertificates(text);
  } catch (error) {
    throw new ConfigError(`TSA_TRUST: ${file} is not usable: ${(error as Error).message}`);
  }
}

const readSetting = (name: string, file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: Error) => {
    throw new ConfigError(`${name}: ${file} cannot be read: ${error.message}`);
  });

/** Text recognition (OCR), if languages are configured. Throws ConfigError where the data of a language is missing. */
function textRecognition({ ocrLanguages }: Config, stopping: AbortSignal): Recognition | undefined {
  const missing = ocrLanguages.filter((language) => !isInstalled(language));
  if (missing.length > 0) {
    const packages = missing.map((language) => `@tesseract.js-data/${language}`).join(' ');
    throw new ConfigError(`OCR_LANGUAGES: run npm install ${packages}`);
  }
  return ocrLanguages.length > 0 ? { languages: ocrLanguages, stopping } : undefined;
}
