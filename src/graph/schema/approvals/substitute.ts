import { findSubstitutes, type Substitute as SubstituteRow } from '../../../domain/approvals/substitute.ts';
import { endSubstitute, setSubstitute } from '../../../domain/approvals/substitute-change.ts';
import type { Member } from '../../../domain/organizations/member.ts';
import { builder } from '../kernel/builder.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { OrganizationMember } from '../membership/member.ts';
import { User } from '../users/type.ts';

const Substitute = builder.objectRef<SubstituteRow>('Substitute').implement({
  description: 'Who gets the votes on approvals that are requested of a member within a period.',
  fields: (t) => ({
    user: t.expose('user', { type: User, description: 'Who gets them.' }),
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'From when; it may be in the future.' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'Until when.' }),
  }),
});

builder.objectField(OrganizationMember, 'substitute', (t) =>
  t.field({
    type: Substitute,
    nullable: true,
    description: 'Who stands in for them in approvals, now or later; null without one.',
    resolve: ({ id }, _, { load }) => load.one(findSubstitutes, id),
  }),
);

const REQUIRES =
  'Members set their own; the roles OWNER and ADMIN in the organization those of others. Not available to applications.';

const setSubstituteInput = mutationInput({
  description: 'A substitute of a member; it replaces the one before.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'In which organization.' }),
    memberId: t.id({ required: true, description: 'Of which OrganizationMember.' }),
    toMemberId: t.id({ required: true, description: 'Which OrganizationMember gets the votes; no guest.' }),
    startsAt: t.field({ type: 'DateTime', description: 'From when; now if omitted.' }),
    endsAt: t.field({ type: 'DateTime', required: true, description: 'Until when, in the future.' }),
  }),
});

const endSubstituteInput = mutationInput({
  description: 'The member whose substitute ends.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'In which organization.' }),
    memberId: t.id({ required: true, description: 'Of which OrganizationMember.' }),
  }),
});

const memberPayload = mutationPayload<{ member: Member }>({
  description: 'The member after the change.',
  fields: (t) => ({ member: t.expose('member', { type: OrganizationMember, description: 'The member.' }) }),
});

mutation('setSubstitute', {
  scope: 'write',
  description: `Sets who gets the votes on approvals that are requested of a member within a period. ${REQUIRES}`,
  argument: 'The substitute.',
  input: setSubstituteInput,
  payload: memberPayload,
  resolve: async (input, ctx) => ({ member: await setSubstitute(ctx, input) }),
});

mutation('endSubstitute', {
  scope: 'write',
  description: `Ends the substitute of a member; approvals that were requested stay with them. Without one it changes nothing. ${REQUIRES}`,
  argument: 'The member.',
  input: endSubstituteInput,
  payload: memberPayload,
  resolve: async (input, ctx) => ({ member: await endSubstitute(ctx, input) }),
});
