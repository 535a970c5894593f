import type { OrganizationRecordFragment } from '../../generated/operations/graphql.ts';
import { boolean, by, integer, record, string, time } from '../shape/record.ts';

type Organization = OrganizationRecordFragment;

/** Nobody is billed: every member is a free one. */
export const freeMembers = ({ memberCounts }: Organization) =>
  memberCounts ? memberCounts.writing + memberCounts.readOnly : 0;

export const organizationRecord = record<Organization>(
  'OrganizationForClient',
  'An organization.',
  {
    ID: string((organization) => organization.id),
    CreatedOn: time((organization) => organization.createdAt),
    Name: string((organization) => organization.name),
    ...by<Organization>('Created', (organization) => organization.createdBy, ['ID', 'Name', 'Email']),
    SubscriptionRequired: boolean(() => false),
    SubscriptionFreeUsers: integer(freeMembers),
    SubscriptionExpiration: time(() => null),
    SubscriptionMinUsers: integer(() => 0, 'Always 0: there are no subscriptions.'),
    UniqueNonReadOnlyOrganizationMembers: integer(
      ({ memberCounts }) => memberCounts?.writing,
      'Members who may write.',
      7,
    ),
    UniqueReadOnlyOrganizationMembers: integer(
      ({ memberCounts }) => memberCounts?.readOnly,
      'Members who may only read.',
      1,
    ),
    UniqueFreeOrganizationMembers: integer(freeMembers, 'Members who are not billed, which are all.', 8),
    UniqueBillableOrganizationMembers: integer(() => 0, 'Always 0: members are not billed.'),
  },
  { ID: 'org_01k94aw425639a3vvfgp21h2xa', Name: 'Harbour Works' },
);
