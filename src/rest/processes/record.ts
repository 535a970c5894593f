import type { ProcessRecordFragment } from '../../generated/operations/graphql.ts';
import { projectAccess } from '../projects/record.ts';
import { lower, one, record, string, time } from '../shape/record.ts';

export const processRecord = record<ProcessRecordFragment>(
  'Process',
  'A process by which documents and tasks are approved.',
  {
    ID: string((process) => process.id),
    CreatedOn: time((process) => process.createdAt),
    Name: string((process) => process.name),
    NameLower: lower((process) => process.name),
    OrganizationID: string((process) => process.organizationId),
    ProjectID: string((process) => process.project.id),
    ProjectName: string((process) => process.project.name),
    ProjectAccess: one(projectAccess, (process) => process.project.access),
  },
  { ID: 'prc_01k9q716t6acft3qbcjc9fevs6', Name: 'Release' },
);
