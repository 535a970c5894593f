import { QUAY_DESIGN } from './workspace-quay-design.ts';
import { QUAY_SITE } from './workspace-quay-site.ts';
import type { SeedProject } from './workspace-shape.ts';

/** An open project: every member of the organization is an editor; the client is a guest who can only read. */
export const QUAY: SeedProject = {
  name: 'Quay Renewal',
  access: 'OPEN',
  members: [
    { person: 'ines', role: 'ADMIN' },
    { person: 'client', role: 'VIEWER' },
  ],
  folders: [
    {
      name: 'Design',
      hexColor: '#1f5c66',
      folders: [
        { name: 'Drawings', folders: [{ name: 'Sent out' }] },
        { name: 'Specification' },
        { name: 'Studies', folders: [{ name: 'Lighting' }, { name: 'Ground' }] },
        { name: 'Pictures', assignees: ['member'] },
      ],
    },
    {
      name: 'Contract',
      hexColor: '#4a2f3a',
      assignees: ['owner'],
      folders: [{ name: 'Cost' }, { name: 'Payments', assignees: ['ines'] }, { name: 'Consents' }],
    },
    {
      name: 'Site',
      hexColor: '#c8552b',
      assignees: ['piotr'],
      folders: [
        { name: 'Minutes', folders: [{ name: '2026', folders: [{ name: 'Drafts' }] }] },
        { name: 'Programme' },
        { name: 'Contractor', folders: [{ name: 'Method statements' }, { name: 'Letters' }] },
        { name: 'Diary' },
      ],
    },
    { name: 'Planting', hexColor: '#7b9e87', assignees: ['hanna'] },
  ],
  documents: [...QUAY_DESIGN, ...QUAY_SITE],
};
