import { createHash, verify, X509Certificate } from 'node:crypto';
import { type CheckedSeal, checkSeal, SealBroken } from '../../pdf/seal/check-seal.ts';
import { eventHash } from '../kernel/audit.ts';
import {
  EVIDENCE_FORMAT,
  type EvidenceContent,
  type EvidenceFile,
  signedText,
  writeEvidence,
} from './evidence-file.ts';

/** What a check came to: nothing is wrong where there are no faults. */
export interface EvidenceVerdict {
  errors: string[];
  /** What was checked, for a person: sentences. */
  summary: string[];
}

/**
 * Holds an evidence file against the sealed PDF it belongs to, with nothing but the two. `trusted` is a further
 * certificate (PEM) that may have signed the evidence, for where the server got a new one after it had sealed the PDF.
 */
export function checkEvidence(text: string, pdf: Uint8Array, trusted?: string): EvidenceVerdict {
  const file = read(text);
  if (!file)
    return {
      errors: ['The evidence file is not one, or was changed: it is not as a server writes it.'],
      summary: [],
    };
  const { signature, ...content } = file;
  try {
    const seal = sealOf(pdf);
    const faults = [
      ...checkEvents(content),
      ...(typeof seal === 'string' ? [seal] : checkSeals(content, seal, pdf)),
      ...checkSignature(file, typeof seal === 'string' ? undefined : seal.certificate, trusted),
    ];
    return { errors: faults, summary: typeof seal === 'string' ? [] : summary(content, seal) };
  } catch (error) {
    return { errors: [`The evidence file was changed: ${(error as Error).message}.`], summary: [] };
  }
}

function read(text: string): EvidenceFile | undefined {
  try {
    const file = JSON.parse(text) as EvidenceFile;
    const { signature, ...content } = file;
    return file.format === EVIDENCE_FORMAT && writeEvidence(content, signature) === text ? file : undefined;
  } catch {
    return undefined;
  }
}

function sealOf(pdf: Uint8Array): CheckedSeal | string {
  try {
    return checkSeal(pdf);
  } catch (error) {
    if (error instanceof SealBroken) return `The PDF is not sealed, or was changed: ${error.message}.`;
    throw error;
  }
}

/** Each event matches its hash, and follows the one before where that is in the file too. */
function checkEvents({ events }: EvidenceContent): string[] {
  return events.flatMap(({ hash, hashBefore, event }, index) => {
    const before = events[index - 1];
    const name = `Event ${event.sequence} (${event.kind})`;
    const made = eventHash(Buffer.from(hashBefore, 'hex'), event as Parameters<typeof eventHash>[1]);
    if (Buffer.from(made).toString('hex') !== hash) return [`${name} does not match its hash.`];
    const step = before ? BigInt(event.sequence as string) - BigInt(before.event.sequence as string) : 2n;
    if (step < 1n) return [`${name} is not in its place.`];
    return step === 1n && before?.hash !== hashBefore
      ? [`${name} does not follow from the one before it.`]
      : [];
  });
}

interface SealedData {
  sessionId: string;
  signed: { revision: number; sha256: string };
  chain: { sequence: string; hash: string };
  after: { revision: number; sha256: string };
}

const sealings = ({ events }: EvidenceContent): SealedData[] =>
  events.filter(({ event }) => event.kind === 'document.sealed').map(({ event }) => event.data as SealedData);

/** The PDF is what an event sealed, of revisions that the file names, and says so itself under its signature. */
function checkSeals(content: EvidenceContent, { reason }: CheckedSeal, pdf: Uint8Array): string[] {
  const sha256 = createHash('sha256').update(pdf).digest('hex');
  const sealed = sealings(content).find(({ after }) => after.sha256 === sha256);
  if (!sealed)
    return [`The PDF is not one that the evidence is about: no event sealed the SHA-256 ${sha256}.`];
  const { sessionId, chain, signed, after } = sealed;
  const faults: string[] = [];
  for (const { revision, sha256: digest } of [signed, after])
    if (content.revisions.find(({ number }) => number === revision)?.sha256 !== digest)
      faults.push(`Revision ${revision} is not the one that was sealed.`);
  const completed = content.events.find(({ event }) => event.sequence === chain.sequence);
  if (completed?.event.kind !== 'document.signingCompleted' || completed.hash !== chain.hash)
    faults.push(`Event ${chain.sequence} is not the completion of the session that was sealed.`);
  if (![sessionId, ` ${chain.sequence} `, chain.hash].every((part) => reason.includes(part)))
    faults.push('The seal in the PDF names another session, or another place in the chain of events.');
  return faults;
}

function checkSignature(
  { signature, ...content }: EvidenceFile,
  ofPdf: X509Certificate | undefined,
  trusted: string | undefined,
): string[] {
  const own = new X509Certificate(signature.certificate);
  const value = Buffer.from(signature.value, 'base64');
  if (!verify('sha256', Buffer.from(signedText(content)), own.publicKey, value))
    return ['The evidence file was changed after it was signed.'];
  const accepted = [ofPdf, trusted === undefined ? undefined : new X509Certificate(trusted)];
  if (!ofPdf || accepted.some((each) => each?.fingerprint256 === own.fingerprint256)) return [];
  return [
    `The evidence file was signed with another certificate than the PDF (${own.subject}, SHA-256 ${own.fingerprint256}); name that one as a third file if you trust it.`,
  ];
}

const summary = (content: EvidenceContent, { certificate }: CheckedSeal): string[] => [
  `Document ${content.document.name} (${content.document.id}), with ${content.events.length} events.`,
  `Sealed with the certificate ${certificate.subject}, SHA-256 ${certificate.fingerprint256}.`,
];
