import { eraseAccount, type OwnErasure, planOwnErasure } from '../../../domain/own-account/erasure.ts';
import type {
  ErasureItem as Item,
  ErasureObstacle as Obstacle,
  ErasurePlan as Plan,
} from '../../../domain/personal-data/erasure-plan.ts';
import { builder } from '../kernel/builder.ts';
import { ONLY_SESSIONS } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Account } from './type.ts';

const ErasureEffect = builder.enumType('ErasureEffect', {
  description: 'What an erasure does with rows.',
  values: {
    REMOVED: { description: 'They are deleted, or their content is.' },
    REPLACED: { description: 'They stay without what names the person.' },
    KEPT: { description: 'They stay as they are.' },
  } as const,
});

const ErasureItem = builder.objectRef<Item>('ErasureItem').implement({
  description: 'What an erasure does with rows of one kind.',
  fields: (t) => ({
    kind: t.exposeString('kind', { description: 'What they are, such as `apiKey`.' }),
    count: t.exposeInt('count', { description: 'How many.' }),
    effect: t.expose('effect', { type: ErasureEffect, description: 'What is done with them.' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Why they are kept, or what is replaced or removed in them.',
    }),
  }),
});

const ErasureObstacle = builder.objectRef<Obstacle>('ErasureObstacle').implement({
  description: 'An organization that would have no owner: appoint another one first.',
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'Its id.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
  }),
});

const REMARKS = 'What holds for every erasure, in sentences for people.';

const ErasurePlan = builder.objectRef<Plan>('ErasurePlan').implement({
  description: 'What the erasure of your account would do at this moment.',
  fields: (t) => ({
    items: t.expose('items', { type: [ErasureItem], description: 'What it would do, by kind.' }),
    obstacles: t.expose('obstacles', { type: [ErasureObstacle], description: 'What prevents it.' }),
    remarks: t.stringList({ description: REMARKS, resolve: ({ remarks }) => [...remarks] }),
  }),
});

builder.objectField(Account, 'erasurePlan', (t) =>
  t.field({
    type: ErasurePlan,
    description: 'What `eraseAccount` would remove, replace and keep. Nothing is changed.',
    resolve: (_, __, ctx) => planOwnErasure(ctx),
  }),
);

mutation('eraseAccount', {
  scope: 'write',
  description: `Erases your account for good: read \`erasurePlan\` first. All your sign-ins, API keys and authorizations end at once. CONFLICT for the only owner of an organization. Needs a proof within ten minutes. ${ONLY_SESSIONS}`,
  argument: 'The confirmation.',
  input: mutationInput({
    description: 'A confirmation that the account is to be erased.',
    fields: (t) => ({
      email: t.string({ required: true, description: 'The address of your account, as it is typed by you.' }),
    }),
  }),
  payload: mutationPayload<OwnErasure>({
    description: 'What was done.',
    fields: (t) => ({
      isFinished: t.exposeBoolean('isFinished', {
        description: 'False if the account is erased, and what is left follows within an hour.',
      }),
      items: t.expose('items', {
        type: [ErasureItem],
        description: 'What was removed, replaced and kept; empty if it is not finished.',
      }),
      remarks: t.stringList({ description: REMARKS, resolve: ({ remarks }) => [...remarks] }),
    }),
  }),
  resolve: (input, ctx) => eraseAccount(ctx, input),
});
