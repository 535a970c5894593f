import { createHash, verify, X509Certificate } from 'node:crypto';
import { type Certificate, fingerprint } from '../../verify/certificate.js';
import { nodeSuite } from '../../verify/node-suite.ts';
import { type CheckedSeal, checkSeal, levelOf } from '../../verify/seal.js';
import { SealBroken } from '../../verify/seal-broken.js';
import { RedactionCheck } from '../events/redaction-check.ts';
import type { HashedEvent } from '../kernel/record/event-hash.ts';
import { checkAnchors } from './evidence-anchors.ts';
import {
  EVIDENCE_FORMATS,
  type EvidenceContent,
  type EvidenceFile,
  signedText,
  writeEvidence,
} from './evidence-file.ts';
import { checkSealStamps } from './seal-stamp-check.ts';

/** The result of a check: the evidence is valid if there are no errors. */
export interface EvidenceVerdict {
  errors: string[];
  /** Sentences that say what was checked. */
  summary: string[];
}

/** What the caller of a check trusts beside the certificate in the PDF. */
export interface Trusted {
  /** Another certificate (PEM) accepted as signer of the evidence, for a server whose certificate changed after it sealed the PDF. */
  signer?: string | undefined;
  /** Certificates under which the authorities of time-stamps must be; without any, their certificates are only named. */
  authorities?: readonly Certificate[];
}

/** Checks an evidence file against its sealed PDF, offline. */
export async function checkEvidence(
  text: string,
  pdf: Uint8Array,
  trusted: Trusted = {},
): Promise<EvidenceVerdict> {
  const file = parseEvidence(text);
  if (!file)
    return {
      errors: ['This is not an evidence file, or it was changed: it is not as a server writes it.'],
      summary: [],
    };
  const { signature, ...content } = file;
  try {
    const seal = await readSeal(pdf);
    const authorities = trusted.authorities ?? [];
    const anchors = await checkAnchors(content, authorities);
    const stamp = typeof seal === 'string' ? undefined : await checkSealStamps(seal, authorities);
    const errors = [
      ...checkEvents(content),
      ...anchors.errors,
      ...(stamp?.errors ?? []),
      ...(typeof seal === 'string' ? [seal] : checkSeals(content, seal, pdf)),
      ...checkSignature(file, typeof seal === 'string' ? undefined : seal, trusted.signer),
    ];
    return {
      errors,
      summary:
        typeof seal === 'string'
          ? []
          : [...(await summary(content, seal)), ...(stamp?.summary ?? []), ...anchors.summary],
    };
  } catch (error) {
    return { errors: [`The evidence file was changed: ${(error as Error).message}.`], summary: [] };
  }
}

function parseEvidence(text: string): EvidenceFile | undefined {
  try {
    const file = JSON.parse(text) as EvidenceFile;
    const { signature, ...content } = file;
    return EVIDENCE_FORMATS.includes(file.format) && writeEvidence(content, signature) === text
      ? file
      : undefined;
  } catch {
    return undefined;
  }
}

async function readSeal(pdf: Uint8Array): Promise<CheckedSeal | string> {
  try {
    return await checkSeal(nodeSuite, pdf);
  } catch (error) {
    if (error instanceof SealBroken) return `The PDF is not sealed, or was changed: ${error.message}.`;
    throw error;
  }
}

/** Each event must match its hash, and continue the chain where the event before it is in the file too. */
function checkEvents({ events }: EvidenceContent): string[] {
  const check = new RedactionCheck();
  const errors = events.flatMap(({ hash, hashBefore, event }, index) => {
    const before = events[index - 1];
    const name = `Event ${event.sequence} (${event.kind})`;
    const fault = check.step(Buffer.from(hashBefore, 'hex'), rowOf(event, hash));
    if (fault) return [`${name} ${fault}.`];
    const step = before ? BigInt(event.sequence as string) - BigInt(before.event.sequence as string) : 2n;
    if (step < 1n) return [`${name} is out of order.`];
    return step === 1n && before?.hash !== hashBefore
      ? [`${name} does not follow from the one before it.`]
      : [];
  });
  const { unexplained } = check;
  return unexplained === undefined
    ? errors
    : [...errors, `Event ${unexplained} has no content, and no event in the file says that it was redacted.`];
}

/** An event of the file as the row that it was. */
function rowOf(event: Record<string, unknown>, hash: string): HashedEvent & { hash: Uint8Array } {
  const bytes = (value: unknown) => (typeof value === 'string' ? Buffer.from(value, 'hex') : null);
  const { salt, dataHash, stateHash, ...row } = event;
  return {
    ...row,
    salt: bytes(salt),
    dataHash: bytes(dataHash),
    stateHash: bytes(stateHash),
    hash: Buffer.from(hash, 'hex'),
  } as unknown as HashedEvent & { hash: Uint8Array };
}

interface SealedData {
  sessionId: string;
  signed: { revision: number; sha256: string; copySha256?: string; renditionSha256?: string };
  chain: { sequence: string; hash: string };
  after: { revision: number; sha256: string };
}

const sealedEvents = ({ events }: EvidenceContent): SealedData[] =>
  events.filter(({ event }) => event.kind === 'document.sealed').map(({ event }) => event.data as SealedData);

/** The PDF must be the one an event sealed, of revisions in the file, and name that session in its signature. */
function checkSeals(content: EvidenceContent, { reason, length }: CheckedSeal, pdf: Uint8Array): string[] {
  const sha256 = createHash('sha256').update(pdf.subarray(0, length)).digest('hex');
  const sealed = sealedEvents(content).find(({ after }) => after.sha256 === sha256);
  if (!sealed)
    return [`The PDF is not one that the evidence is about: no event sealed the SHA-256 ${sha256}.`];
  const { sessionId, chain, signed, after } = sealed;
  const errors: string[] = [];
  for (const { revision, sha256: digest } of [signed, after])
    if (content.revisions.find(({ number }) => number === revision)?.sha256 !== digest)
      errors.push(`Revision ${revision} is not the one that was sealed.`);
  const began = beganOn(content, sessionId);
  if (began?.copy?.sha256 !== signed.copySha256)
    errors.push('The copy that was sealed is not the one on which the signing began.');
  if (began?.rendition?.sha256 !== signed.renditionSha256)
    errors.push('The PDF of the office file is not the one on which the signing began.');
  const completed = content.events.find(({ event }) => event.sequence === chain.sequence);
  if (completed?.event.kind !== 'document.signingCompleted' || completed.hash !== chain.hash)
    errors.push(`Event ${chain.sequence} is not the completion of the session that was sealed.`);
  if (![sessionId, ` ${chain.sequence} `, chain.hash].every((part) => reason.includes(part)))
    errors.push('The seal in the PDF names another session, or another event of the chain.');
  return errors;
}

/** The digests of the copy on which a session began, and of the PDF of an office file of which it was made. */
function beganOn({ events }: EvidenceContent, sessionId: string) {
  const began = events.find(
    ({ event }) =>
      event.kind === 'document.signingBegan' && (event.data as { sessionId: string }).sessionId === sessionId,
  );
  return began?.event.data as { copy?: { sha256: string }; rendition?: { sha256: string } } | undefined;
}

function checkSignature(
  { signature, ...content }: EvidenceFile,
  seal: CheckedSeal | undefined,
  trusted: string | undefined,
): string[] {
  const certificate = new X509Certificate(signature.certificate);
  const value = Buffer.from(signature.value, 'base64');
  if (!verify('sha256', Buffer.from(signedText(content)), certificate.publicKey, value))
    return ['The evidence file was changed after it was signed.'];
  const pdfCertificate = seal && new X509Certificate(seal.certificate.der);
  const accepted = [pdfCertificate, trusted === undefined ? undefined : new X509Certificate(trusted)];
  if (!pdfCertificate || accepted.some((each) => each?.fingerprint256 === certificate.fingerprint256))
    return [];
  return [
    `The evidence file was signed with another certificate than the PDF (${certificate.subject}, SHA-256 ${certificate.fingerprint256}); name that one as a third file if you trust it.`,
  ];
}

const summary = async (content: EvidenceContent, seal: CheckedSeal): Promise<string[]> => [
  `Document ${content.document.name} (${content.document.id}), with ${content.events.length} events.`,
  `Sealed with the certificate ${seal.certificate.subject}, SHA-256 ${await fingerprint(nodeSuite, seal.certificate)}.`,
  ...validationSummary(seal),
];

/** Which validation data is in the file; who signed the answers is not checked. */
function validationSummary(seal: CheckedSeal): string[] {
  if (!seal.validation) return [];
  const { certificates, ocsp, crls } = seal.validation;
  const times = [...ocsp, ...crls].map(({ thisUpdate }) => thisUpdate.toISOString());
  return [
    `Level PAdES ${levelOf(seal)}: the file has ${certificates.length} certificates, ${ocsp.length} OCSP responses and ${crls.length} CRLs for later checks, of ${times.join(', ')} (not checked).`,
  ];
}
