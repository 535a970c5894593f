import { retrySealing } from '../../../domain/signatures/sealing-retry.ts';
import type { SignatureSession as SessionRow } from '../../../domain/signatures/signature-session.ts';
import { Revision } from '../documents/revision.ts';
import { builder } from '../kernel/builder.ts';
import { WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { SignatureSession } from './session.ts';

const SealingState = builder.enumType('SealingState', {
  description: 'How far the sealing of what was signed has come.',
  values: {
    NONE: { description: 'Not everyone has signed.' },
    PENDING: { description: 'It is under way, or is tried again.' },
    SEALED: { description: 'The signed file is there.' },
    FAILED: { description: 'It is not tried again until someone requests it.' },
  } as const,
});

const ActiveContent = builder.enumType('ActiveContent', {
  description: 'A kind of content of a PDF that does something.',
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
  variant: 'SignatureSealing',
  description:
    'The sealing of a completed session: what was filled in is drawn on the pages, a record of the signing is added, and the file gets one digital signature (PAdES).',
  fields: (t) => ({
    state: t.field({
      type: SealingState,
      description: 'How far it has come.',
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
      description: 'When it is tried next; while an attempt is under way, when that one counts as lost.',
      resolve: ({ sealingNextAt }) => sealingNextAt,
    }),
    removed: t.field({
      type: [ActiveContent],
      description:
        'What was taken out of the PDF before it was sealed, as a reader would run, open, send or play it.',
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
    description: 'The sealing of what is signed, which follows the last signature by itself.',
  }),
);

export const SignatureSessionPayload = builder
  .objectRef<{ session: SessionRow }>('SignatureSessionPayload')
  .implement({
    description: 'The session as it now is.',
    fields: (t) => ({
      session: t.expose('session', { type: SignatureSession, description: 'The session.' }),
    }),
  });

const RetrySealingInput = builder.inputType('RetrySealingInput', {
  description: 'The session whose sealing failed.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    sessionId: t.id({ required: true, description: 'Which session.' }),
  }),
});

builder.mutationField('retrySealing', (t) =>
  t.field({
    type: SignatureSessionPayload,
    description:
      'Has a session sealed at once whose sealing failed, or waits for its next attempt. CONFLICT for any other. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: RetrySealingInput, required: true, description: 'Which session.' }) },
    resolve: async (_, { input }, ctx) => ({ session: await retrySealing(ctx, input) }),
  }),
);
