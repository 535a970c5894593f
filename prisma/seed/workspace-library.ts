import { LIBRARY_BRIEF } from './workspace-library-brief.ts';
import { LIBRARY_DESIGN } from './workspace-library-design.ts';
import type { SeedProject } from './workspace-shape.ts';

/**
 * A restricted project: editors see what is assigned to them or created by them. Leila is its admin, Samuel has the
 * cost and the tenders, Jonas the interior; Hanna sees the one folder she works in, and Piotr nothing.
 */
export const LIBRARY: SeedProject = {
  name: 'Town Library',
  access: 'RESTRICTED',
  members: [
    { person: 'leila', role: 'ADMIN' },
    { person: 'samuel', role: 'EDITOR' },
    { person: 'member', role: 'EDITOR' },
    { person: 'hanna', role: 'EDITOR' },
  ],
  folders: [
    {
      name: 'Brief',
      hexColor: '#7a3b2e',
      folders: [{ name: 'History', folders: [{ name: 'Seed store' }] }, { name: 'Agreements' }],
    },
    {
      name: 'Design',
      hexColor: '#1f5c66',
      folders: [
        { name: 'Drawings', assignees: ['samuel', 'member'] },
        { name: 'Interior', assignees: ['member'], folders: [{ name: 'Furniture' }, { name: 'Pictures' }] },
        { name: 'Reports', folders: [{ name: 'Tree', assignees: ['hanna'] }, { name: 'Fire' }] },
      ],
    },
    { name: 'Planning', folders: [{ name: 'Neighbours' }] },
    {
      name: 'Cost and tenders',
      hexColor: '#d9a441',
      assignees: ['samuel'],
      folders: [{ name: 'Shell', folders: [{ name: 'Offers' }] }],
    },
    { name: 'Minutes', assignees: ['samuel', 'member'] },
  ],
  documents: [...LIBRARY_BRIEF, ...LIBRARY_DESIGN],
};
