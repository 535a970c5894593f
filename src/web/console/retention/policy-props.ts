import type {
  ConsoleRetentionPartsQuery,
  ConsoleRetentionPolicyQuery,
  ConsoleRetentionPreviewQuery,
  ConsoleRetentionProjectsQuery,
} from '../../../generated/operations/graphql.ts';
import type { FormError } from '../ui/form-error.ts';
import type { PageOrganization } from '../ui/frame.tsx';
import type { Visit } from '../ui/visit.ts';
import type { EnteredPolicy } from './entered.ts';

export interface PolicyViewProps {
  visit: Visit;
  organization: PageOrganization & { groups: { nodes: { id: string; name: string }[] } };
  policy: Extract<ConsoleRetentionPolicyQuery['node'], { __typename: 'RetentionPolicy' }>;
  after: string | undefined;
  /** The beginning of the name of a project. */
  search: string;
  projects?: NonNullable<ConsoleRetentionProjectsQuery['organization']>['projects'];
  parts?: NonNullable<ConsoleRetentionPartsQuery['project']>;
  entered: EnteredPolicy;
  /** With the change that was entered, if any. */
  preview?: ConsoleRetentionPreviewQuery['retentionPreview'];
  isChange: boolean;
  error?: FormError;
}

export const pathOf = ({ organization, policy }: Pick<PolicyViewProps, 'organization' | 'policy'>): string =>
  `/console/${organization.id}/retention/${policy.id}`;
