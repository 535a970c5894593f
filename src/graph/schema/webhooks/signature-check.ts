import { checkSignature, type SignatureCheck } from '../../../domain/webhooks/webhook-signature-check.ts';
import { builder } from '../kernel/builder.ts';
import { Webhook } from './type.ts';

const WebhookSignatureResult = builder.enumType('WebhookSignatureResult', {
  description: 'Whether a signature is that of a webhook.',
  values: {
    VALID: { description: 'A secret of the webhook signed this body.' },
    MALFORMED: { description: 'The header does not have the form `t=…,v1=…`.' },
    REFORMATTED: {
      description: 'A secret of the webhook signed a body with the same content, but other bytes.',
    },
    OTHER_WEBHOOK: { description: 'The body names another webhook.' },
    MISMATCH: { description: 'Another secret signed, or the body was changed.' },
  } as const,
});

const WebhookSecretVersion = builder.enumType('WebhookSecretVersion', {
  description: 'A secret of a webhook.',
  values: {
    CURRENT: { description: 'The one that was created last.' },
    PREVIOUS: { description: 'The one before.' },
  } as const,
});

const WebhookSignatureCheck = builder.objectRef<SignatureCheck>('WebhookSignatureCheck').implement({
  description: 'What a signature is worth.',
  fields: (t) => ({
    result: t.expose('result', { type: WebhookSignatureResult, description: 'Whether it is valid.' }),
    secret: t.expose('secret', {
      type: WebhookSecretVersion,
      nullable: true,
      description: 'The secret that signed; null if none of the webhook did.',
    }),
    signedAt: t.expose('signedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was signed; null for a malformed header.',
    }),
    isRecent: t.exposeBoolean('isRecent', {
      description:
        'Whether it was signed at most 5 minutes ago: receivers refuse older ones, so that nobody sends a request again.',
    }),
  }),
});

builder.objectField(Webhook, 'signatureCheck', (t) =>
  t.field({
    type: WebhookSignatureCheck,
    description: 'Checks a signature that its receiver got. The secret is not shown.',
    args: {
      signature: t.arg.string({ required: true, description: 'The value of the header Docgraph-Signature.' }),
      body: t.arg.string({ required: true, description: 'The body, exactly as it was received.' }),
    },
    resolve: ({ id }, received, ctx) => checkSignature(ctx, id, received),
  }),
);
