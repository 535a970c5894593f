import { retrySealing } from '../../../domain/sealing/sealing-retry.ts';
import {
  findSignatureSessions,
  type SignatureSession as SessionRow,
} from '../../../domain/signatures/signature-session.ts';
import { Revision } from '../documents/revision.ts';
import { builder } from '../kernel/builder.ts';
import { WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { SignatureSession } from './session.ts';

const SealingState = builder.enumType('SealingState', {
  description: 'The state of sealing a signed document.',
  values: {
    NONE: { description: 'Not everyone has signed.' },
    PENDING: { description: 'It is in progress, or will be retried.' },
    SEALED: { description: 'The signed file exists.' },
    FAILED: { description: 'It is not retried until someone requests it.' },
  } as const,
});

const SealLevel = builder.enumType('SealLevel', {
  description: 'What a seal proves, by the levels of PAdES (ETSI EN 319 142-1 §6).',
  values: {
    B_B: { description: 'What was sealed, and with which certificate.' },
    B_T: { description: 'Also before which time, by the clock of a time-stamping authority.' },
    B_LTA: {
      description:
        'Also that no certificate was revoked then, by what its authorities answered; it can be checked when they no longer answer.',
    },
  } as const,
});

type SealColumns = Pick<SessionRow, 'sealing' | 'sealStampedAt' | 'sealValidatedAt'>;

function levelOf({
  sealing,
  sealStampedAt,
  sealValidatedAt,
}: SealColumns): typeof SealLevel.$inferType | null {
  if (sealing !== 'SEALED') return null;
  if (sealValidatedAt) return 'B_LTA';
  return sealStampedAt ? 'B_T' : 'B_B';
}

const ActiveContent = builder.enumType('ActiveContent', {
  description: 'A kind of active content of a PDF.',
  values: {
    JAVASCRIPT: { description: 'A script.' },
    LAUNCH: { description: 'An action that starts a program.' },
    FORM_ACTION: { description: 'An action that sends, fills or empties a form.' },
    EXTERNAL_FILE: { description: 'A reference to another file, also as content of this one.' },
    EMBEDDED_FILE: { description: 'A file attached to the PDF.' },
    MEDIA: { description: 'Audio, video or 3D.' },
    XFA: { description: 'A form in XML in addition to that of the PDF.' },
    OTHER_ACTION: { description: 'Another action, such as one that runs by itself.' },
  } as const,
});

const SignatureSealing = builder.prismaObject('SignatureSession', {
  scope: 'signatures:read',
  variant: 'SignatureSealing',
  description:
    'The sealing of a completed session: what was filled in is drawn on the pages, a record of the signing is added, and the file gets one digital signature (PAdES).',
  fields: (t) => ({
    state: t.field({
      type: SealingState,
      description: 'Its state.',
      resolve: ({ sealing }) => sealing,
    }),
    attempts: t.int({
      description:
        'How many attempts were made since the last signature, or since someone requested another.',
      resolve: ({ sealingAttempts }) => sealingAttempts,
    }),
    lastError: t.string({
      nullable: true,
      description: 'Why the last attempt failed.',
      resolve: ({ sealingError }) => sealingError,
    }),
    nextAttemptAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the next attempt is; while one is in progress, when that one counts as lost.',
      resolve: ({ sealingNextAt }) => sealingNextAt,
    }),
    level: t.field({
      type: SealLevel,
      nullable: true,
      description: 'The level of the seal; null before it is sealed.',
      resolve: levelOf,
    }),
    timestampedAt: t.expose('sealStampedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When an authority time-stamped the seal, by its clock.',
    }),
    timestampAuthority: t.exposeString('sealAuthority', {
      nullable: true,
      description: 'The subject of the certificate of that authority.',
    }),
    removed: t.field({
      type: [ActiveContent],
      description:
        'The kinds of content that the copy which is signed leaves out of the PDF: what a reader would run, open, send or play.',
      resolve: ({ sealRemoved }) => sealRemoved as (typeof ActiveContent.$inferType)[],
    }),
    sealedRevision: t.relation('sealRevision', {
      type: Revision,
      nullable: true,
      description: 'The signed file, a revision of the document.',
    }),
  }),
});

builder.prismaObjectField(SignatureSession, 'sealing', (t) =>
  t.variant(SignatureSealing, {
    description: 'Its sealing, which follows the last signature automatically.',
  }),
);

export const signatureSessionPayload = mutationPayload<{ session: SessionRow }>({
  description: 'The session after the change.',
  fields: (t) => ({
    session: t.expose('session', { type: SignatureSession, description: 'The session.' }),
  }),
});

const retrySealingInput = mutationInput({
  description: 'The session whose sealing failed.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    sessionId: t.id({ required: true, description: 'Which session.' }),
  }),
});

mutation('retrySealing', {
  scope: 'signatures:write',
  description:
    'Seals a session at once whose sealing failed, or waits for its next attempt. CONFLICT for any other, and where the document was revised since. Requires the role EDITOR in the project.',
  argument: 'Which session.',
  input: retrySealingInput,
  payload: signatureSessionPayload,
  resolve: async (input, ctx) => {
    const id = await retrySealing(ctx, input);
    return { session: await ctx.load.seen(findSignatureSessions, id, 'Signature session') };
  },
});
