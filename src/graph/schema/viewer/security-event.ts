import {
  findSecurityEvents,
  type SecurityEvent as SecurityEventRow,
  securityEventsOfViewer,
} from '../../../domain/users/security-event.ts';
import { builder } from '../kernel/builder.ts';
import { connect, orderInput } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Viewer } from './type.ts';

const SecurityEvent = builder.objectRef<SecurityEventRow>('SecurityEvent').implement({
  scope: 'read',
  description: 'A security event of your account.',
  interfaces: [Node],
  fields: (t) => ({
    kind: t.exposeString('kind', {
      description:
        'Noun and verb, such as `authorization.granted`. `authorization.refresh_token_reused` and ' +
        '`authorization.code_replayed` mean that someone may have stolen a token; its authorization was ended.',
    }),
    clientId: t.id({
      nullable: true,
      description: 'The client_id of the application it is about.',
      resolve: ({ data }) => data.clientId ?? null,
    }),
    clientName: t.string({
      nullable: true,
      description: 'The display name of that application.',
      resolve: ({ data }) => data.clientName ?? null,
    }),
    ipAddress: t.exposeString('ipAddress', { nullable: true, description: 'Where it came from.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
  }),
});

nodeType('SecurityEvent', ({ load }, id) => load.one(findSecurityEvents, id));

const SecurityEventOrder = orderInput('SecurityEvent', {
  CREATED_AT: { description: 'When it happened.' },
});

builder.objectField(Viewer, 'securityEvents', (t) =>
  t.connection(
    {
      type: SecurityEvent,
      description: 'The security events of your account.',
      args: {
        orderBy: t.arg({
          type: SecurityEventOrder,
          description: 'The order; newest first by default.',
        }),
      },
      resolve: ({ id }, args, ctx) =>
        connect(ctx, securityEventsOfViewer, { organizationId: '', id }, args, ({ orderBy, ...page }) => ({
          ...page,
          filter: {},
          orderBy: orderBy ?? { field: 'CREATED_AT', direction: 'DESC' },
        })),
    },
    connectionOf(SecurityEvent),
  ),
);
