import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { verifyChains } from '../domain/events/audit-verify.ts';
import { badInput, conflict, notFound } from '../domain/kernel/errors.ts';
import { checkEvidence } from '../domain/sealing/evidence-check.ts';
import type { Command, OfflineCommand } from './command.ts';

const read = (file: string): Promise<Buffer> =>
  readFile(file).catch((error) => {
    throw badInput(`${file} is not readable (${error.code})`);
  });

/** Commands that verify the audit trail. They throw what they find, so that the exit code is not 0. */
export const AUDIT_COMMANDS: Record<string, Command> = {
  verify: {
    description:
      'Verifies the hash chain of the events of one organization, or of all, and reports the first event that was changed.',
    options: [],
    operands: ['organization'],
    optionalOperands: 1,
    async run({ db }, { organization }) {
      const lines: string[] = [];
      let broken = 0;
      for await (const { organizationId, events, finding } of verifyChains(db, organization)) {
        lines.push(`${organizationId}: ${finding ? finding.text : `${events} events, all in order`}`);
        if (finding) broken++;
      }
      if (lines.length === 0 && organization) throw notFound('Organization');
      if (broken > 0) throw conflict(lines.join('\n'));
      return lines.join('\n');
    },
  },
  certificate: {
    description: 'Prints the certificate with which documents are sealed.',
    options: [],
    run: async ({ storage }) => {
      const [sealCertificate] = (await storage.sealer()).chain;
      return new X509Certificate(sealCertificate as Uint8Array).toString().trim();
    },
  },
};

/** Commands that work on files, without a server. */
export const OFFLINE_COMMANDS: Record<string, OfflineCommand> = {
  'check-evidence': {
    description:
      'Checks an evidence file against its sealed PDF, without a server; a third file is another certificate to trust.',
    options: [],
    operands: ['evidence', 'pdf', 'certificate'],
    optionalOperands: 1,
    async run({ evidence = '', pdf = '', certificate }) {
      const trusted = certificate === undefined ? undefined : (await read(certificate)).toString();
      const { errors, summary } = checkEvidence((await read(evidence)).toString(), await read(pdf), trusted);
      if (errors.length > 0) throw conflict(errors.join('\n'));
      return [...summary, 'Nothing was changed.'].join('\n');
    },
  },
  'price-operations': {
    description:
      'Prints the points and levels of each operation of a file: a manifest of stored operations, or GraphQL text.',
    options: [],
    operands: ['file'],
    async run({ file = '' }) {
      const text = (await read(file)).toString();
      // Loaded here, since no other command needs the schema.
      const { operationPrices } = await import('./operation-prices.ts');
      return operationPrices(text);
    },
  },
};
