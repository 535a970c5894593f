import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { anchorLogs } from '../domain/anchors/anchor.ts';
import { serverActor } from '../domain/kernel/audit.ts';
import { badInput, conflict, notFound } from '../domain/kernel/errors.ts';
import { parse } from '../domain/kernel/input.ts';
import { redactEventsOf, redactionReason } from '../domain/redaction/redaction.ts';
import { checkEvidence } from '../domain/sealing/evidence-check.ts';
import { type Certificate, readCertificates } from '../verify/certificate.js';
import type { Command, OfflineCommand } from './command.ts';
import { verify } from './verify.ts';

const read = (file: string): Promise<Buffer> =>
  readFile(file).catch((error) => {
    throw badInput(`${file} is not readable (${error.code})`);
  });

async function readAuthorities(file: string): Promise<Certificate[]> {
  const text = (await read(file)).toString();
  try {
    return readCertificates(text);
  } catch (error) {
    throw badInput(`${file} is not usable: ${(error as Error).message}`);
  }
}

/** Commands on the audit trail. Those that verify it throw what they find, so that the exit code is not 0. */
export const AUDIT_COMMANDS: Record<string, Command> = {
  verify,
  'redact-events': {
    description:
      'Removes the content of the events of an object for good, also after it was purged, and records why. Events that prove a seal are kept, and so is who did what and when; verify counts what was redacted.',
    options: ['reason'],
    operands: ['organization', 'object'],
    async run({ db }, { organization: organizationId = '', object: subjectId = '', ...values }) {
      const reason = parse(redactionReason, values.reason, 'reason');
      const count = await redactEventsOf(db, serverActor('admin'), { organizationId, subjectId, reason });
      if (count === 0) throw notFound('Event that can be redacted', 'object');
      return `${count} events were redacted.`;
    },
  },
  'stamp-logs': {
    description:
      'Has the event logs of all organizations time-stamped now, by the authority of TSA_URL. A server does so once a day.',
    options: [],
    async run({ db, timeStamper }) {
      if (!timeStamper) throw badInput('Set TSA_URL to the address of an authority');
      return `The logs of ${await anchorLogs(db, timeStamper)} organizations were time-stamped.`;
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
      'Checks an evidence file against its sealed PDF, without a server; a third file is another certificate to trust. --authority: a file with the certificates under which the authorities of time-stamps must be.',
    options: ['authority'],
    optional: ['authority'],
    operands: ['evidence', 'pdf', 'certificate'],
    optionalOperands: 1,
    async run({ evidence = '', pdf = '', certificate, authority }) {
      const trusted = {
        signer: certificate === undefined ? undefined : (await read(certificate)).toString(),
        authorities: authority === undefined ? [] : await readAuthorities(authority),
      };
      const text = (await read(evidence)).toString();
      const { errors, summary } = await checkEvidence(text, await read(pdf), trusted);
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
