import { type Certificate, fingerprint } from '../../verify/certificate.js';
import { nodeSuite } from '../../verify/node-suite.ts';
import type { Stamp } from '../../verify/time-stamp.js';
import { checkAnchor, leadsToRoot } from '../anchors/anchor-proof.ts';
import type { EvidenceContent } from './evidence-file.ts';

/**
 * Checks the time-stamps of an evidence file, and that its events are in the states of the log that they are over.
 * `authorities`: see checkEvidence. The summary says before which time events were recorded, and according to whom.
 */
export async function checkAnchors(
  { document, anchors = [], events }: EvidenceContent,
  authorities: readonly Certificate[],
): Promise<{ errors: string[]; summary: string[] }> {
  const errors = events.flatMap(({ hash, event, proof }) => {
    if (!proof) return [];
    const anchor = anchors[proof.anchor];
    const sequence = Number(event.sequence);
    return anchor && leadsToRoot({ anchor, sequence, hash: Buffer.from(hash, 'hex'), path: proof.path })
      ? []
      : [`Event ${sequence} (${event.kind}) is not in the log that was time-stamped.`];
  });
  const summary: string[] = [];
  for (const [index, anchor] of anchors.entries()) {
    const stamp = await checkAnchor(document.organizationId, anchor, authorities);
    if (typeof stamp === 'string') errors.push(stamp);
    else if (authorities.length > 0 && !stamp.isTrusted)
      errors.push(
        `The time-stamp of ${anchor.stampedAt} is not by an authority under the given certificate.`,
      );
    else summary.push(await sentence(stampedSequences(events, index), anchor.stampedAt, stamp));
  }
  return { errors, summary };
}

const stampedSequences = (events: EvidenceContent['events'], anchor: number): number[] =>
  events.filter(({ proof }) => proof?.anchor === anchor).map(({ event }) => Number(event.sequence));

async function sentence(
  sequences: number[],
  time: string,
  { authority, certificate }: Stamp,
): Promise<string> {
  const range = `${sequences.length} events, from ${sequences[0]} to ${sequences.at(-1)}`;
  return `${sequences.length > 0 ? range : 'No events of the file'}: recorded before ${time}, by the time-stamp of ${authority} (SHA-256 ${await fingerprint(nodeSuite, certificate)}).`;
}
