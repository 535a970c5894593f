import { findPolicies } from '../../../domain/disposition/policy.ts';
import { findDocumentRetentions } from '../../../domain/retention/document-retention.ts';
import type { Retention } from '../../../domain/retention/retention.ts';
import { Document } from '../documents/type.ts';
import { builder } from '../kernel/builder.ts';
import { RetentionAction, RetentionPolicy } from './type.ts';

const RetentionState = builder.enumType('RetentionState', {
  description: 'Whether retention policies keep a document.',
  values: {
    KEPT: { description: 'Until `until`.' },
    WAITING: {
      description: 'What its time is counted from has not happened: it is kept until then, and on.',
    },
    FOREVER: { description: 'Without end.' },
    REVIEW: { description: 'Its time has ended; it is kept until a review approves its disposal.' },
    ENDED: { description: 'No policy keeps it any more. With the action PURGE it is purged soon.' },
  } as const,
});

const DocumentRetention = builder.objectRef<Retention>('DocumentRetention').implement({
  description: 'What retention policies say of a document: the one that ends last decides.',
  fields: (t) => ({
    state: t.expose('state', { type: RetentionState, description: 'Whether it is kept.' }),
    until: t.expose('until', {
      type: 'DateTime',
      nullable: true,
      description: 'When its time ends or ended; null for WAITING and FOREVER.',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'From when its time is counted; null if that has not happened.',
    }),
    action: t.expose('action', { type: RetentionAction, description: 'What becomes of it then.' }),
    policy: t.field({
      type: RetentionPolicy,
      nullable: true,
      description: 'The policy that decides; null for guests.',
      resolve: ({ policyId }, _, { load }) => load.one(findPolicies, policyId),
    }),
  }),
});

builder.objectField(Document, 'retention', (t) =>
  t.field({
    type: DocumentRetention,
    nullable: true,
    description: 'Until when retention policies keep it; null if none covers it.',
    resolve: (document, _, { load }) => load.of(findDocumentRetentions, document.id, document),
  }),
);
