import type { ProjectAccess } from '../../../generated/operations/graphql.ts';

/** Who takes part in a project, besides owners and admins of the organization. */
export const accessText = (access: ProjectAccess): string =>
  access === 'OPEN'
    ? 'Open: every member of the organization takes part; guests only when added.'
    : 'Restricted: only those who were added take part.';
