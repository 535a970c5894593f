import type { PageOrganization } from '../ui/frame.tsx';

/** An organization with the number of its members; null for guests. */
export type SummaryOrganization = PageOrganization & {
  memberCounts: { writing: number; readOnly: number } | null;
};

export const membersText = ({ writing, readOnly }: { writing: number; readOnly: number }): string => {
  const members = writing + readOnly;
  return members === 1 ? '1 member' : `${members} members`;
};
