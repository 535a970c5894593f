import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Database } from '../db/database.ts';
import { verifyChains } from '../domain/events/audit-verify.ts';
import { badInput, conflict, notFound } from '../domain/kernel/errors.ts';
import { verifyFiles } from '../domain/maintenance/file-verify.ts';
import { checkEvidence } from '../domain/sealing/evidence-check.ts';
import type { BlobStore } from '../files/store/store.ts';
import type { Command, OfflineCommand } from './command.ts';

const read = (file: string): Promise<Buffer> =>
  readFile(file).catch((error) => {
    throw badInput(`${file} is not readable (${error.code})`);
  });

/** The lines of a report, and how many of them are of something broken. */
interface Report {
  lines: string[];
  broken: number;
}

async function verifyEvents(db: Database, organization: string | undefined): Promise<Report> {
  const report: Report = { lines: [], broken: 0 };
  for await (const { organizationId, events, finding } of verifyChains(db, organization)) {
    report.lines.push(`${organizationId}: ${finding ? finding.text : `${events} events, all in order`}`);
    if (finding) report.broken++;
  }
  if (report.lines.length === 0 && organization) throw notFound('Organization');
  return report;
}

async function verifyStored(db: Database, store: BlobStore, organization?: string): Promise<Report> {
  const lines: string[] = [];
  let [files, bytes] = [0, 0n];
  for await (const batch of verifyFiles(db, store, organization)) {
    files += batch.files;
    bytes += batch.bytes;
    lines.push(...batch.findings);
  }
  const total = `${files} files with ${bytes} bytes`;
  const summary =
    lines.length > 0 ? `${lines.length} of ${total} are not as stored` : `${total}, all as stored`;
  return { lines: [...lines, summary], broken: lines.length };
}

/** Commands that verify the audit trail. They throw what they find, so that the exit code is not 0. */
export const AUDIT_COMMANDS: Record<string, Command> = {
  verify: {
    description:
      'Verifies the hash chain of the events of one organization, or of all, and reports the first event that was changed. With --files also that each stored file exists and has the size and SHA-256 of its row.',
    options: [],
    flags: ['files'],
    operands: ['organization'],
    optionalOperands: 1,
    async run({ db, storage }, { organization, files }) {
      const chains = await verifyEvents(db, organization);
      const stored = files ? await verifyStored(db, storage.store, organization) : { lines: [], broken: 0 };
      const text = [...chains.lines, ...stored.lines].join('\n');
      if (chains.broken + stored.broken > 0) throw conflict(text);
      return text;
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
  'least-scope': {
    description:
      'Prints the smallest set of scopes of each GraphQL operation of a file, or of a manifest of stored operations, and of all together; or with --route, as "GET /user/profile", that of a route of REST v1.',
    options: ['route'],
    optional: ['route'],
    operands: ['file'],
    optionalOperands: 1,
    async run({ file, route }) {
      if (file) return (await import('./operation-prices.ts')).operationScopes((await read(file)).toString());
      const [method = '', path = ''] = (route ?? '').trim().split(/\s+/);
      const scopes = (await import('../rest/route-scopes.ts')).scopesOfRoute(method.toUpperCase(), path);
      if (!scopes) throw notFound('Route', 'route');
      return scopes.join(' ');
    },
  },
  'scope-reach': {
    description:
      'Prints the fields of the graph and the routes of REST v1 that a credential with these scopes may use, such as "tasks:read documents:read". --kind is API_KEY (the default), ACCESS_TOKEN or SESSION.',
    options: ['kind'],
    optional: ['kind'],
    operands: ['scopes'],
    async run({ scopes = '', kind }) {
      return (await import('./scope-reach.ts')).scopeReach(scopes, kind);
    },
  },
};
