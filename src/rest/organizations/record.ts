import type { OrganizationRecordFragment } from '../../generated/operations/graphql.ts';
import { by, ZERO_TIME } from '../wire/values.ts';

/** OrganizationForClient. Nobody is billed: every member is a free one. */
export const organizationRecord = ({
  id,
  createdAt,
  name,
  createdBy,
  memberCounts,
}: OrganizationRecordFragment) => {
  const { writing, readOnly } = memberCounts ?? { writing: 0, readOnly: 0 };
  return {
    ID: id,
    CreatedOn: createdAt,
    Name: name,
    ...by('Created', createdBy),
    SubscriptionRequired: false,
    SubscriptionFreeUsers: writing + readOnly,
    SubscriptionExpiration: ZERO_TIME,
    SubscriptionMinUsers: 0,
    UniqueNonReadOnlyOrganizationMembers: writing,
    UniqueReadOnlyOrganizationMembers: readOnly,
    UniqueFreeOrganizationMembers: writing + readOnly,
    UniqueBillableOrganizationMembers: 0,
  };
};
