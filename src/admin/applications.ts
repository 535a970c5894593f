import {
  type LookedAt,
  revokeVerification,
  verifyApplication,
} from '../domain/oauth/verification/verification.ts';
import type { Command } from './command.ts';

/** The request id of its events. */
const ADMIN = 'admin';

/** What people are shown of an application, to be compared with what the operator knows. */
const factsOf = ({ publisher, homePageUrl, logoHash, redirectUris }: LookedAt): string[] => [
  `  publisher: ${publisher}`,
  `  home page: ${homePageUrl ?? 'none'}`,
  `  logo: ${logoHash ? 'yes' : 'none'}`,
  ...redirectUris.map((uri) => `  redirect address: ${uri}`),
];

export const APPLICATION_COMMANDS: Record<string, Command> = {
  'verify-application': {
    description:
      'Marks an application as verified on the consent page, until its name, publisher, home page, logo or redirect addresses change; --revoke takes that back.',
    options: [],
    flags: ['revoke'],
    operands: ['client_id'],
    async run({ db }, { client_id: clientId = '', revoke }) {
      if (revoke) {
        const client = await revokeVerification(db, clientId, ADMIN);
        return `${client.name} (${clientId}) is not verified any more.`;
      }
      const client = await verifyApplication(db, clientId, ADMIN);
      return [`${client.name} (${clientId}) is verified:`, ...factsOf(client)].join('\n');
    },
  },
};
