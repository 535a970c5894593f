import { LIBRARY } from './workspace-library.ts';
import { PEOPLE } from './workspace-people.ts';
import { PLOTS } from './workspace-plots.ts';
import { QUAY } from './workspace-quay.ts';
import type { Workspace } from './workspace-shape.ts';

/** The content of the demo workspace; its files are in prisma/seed/files. The first project is the one in demo.json. */
export const WORKSPACE: Workspace = {
  people: PEOPLE,
  organizations: [
    {
      name: 'Harbor & Pine Architects',
      founder: 'owner',
      members: [
        { person: 'ines', role: 'ADMIN' },
        { person: 'member', role: 'MEMBER' },
        { person: 'samuel', role: 'MEMBER' },
        { person: 'piotr', role: 'MEMBER' },
        { person: 'hanna', role: 'MEMBER' },
        { person: 'leila', role: 'MEMBER' },
        { person: 'client', role: 'GUEST' },
      ],
      projects: [QUAY, LIBRARY],
    },
    {
      name: 'Northwind Surveying',
      founder: 'stranger',
      members: [{ person: 'surveyor', role: 'MEMBER' }],
      projects: [PLOTS],
    },
  ],
};
