import {
  type OpenWork as WorkRow,
  workInOrganizations,
  workInProjects,
} from '../../../domain/membership/open-work.ts';
import { builder } from '../kernel/builder.ts';
import { Organization } from '../organizations/type.ts';
import { Project } from '../projects/type.ts';

const Work = builder.objectRef<Omit<WorkRow, 'id'>>('Work').implement({
  description: 'Counts of your open work.',
  fields: (t) => ({
    openTasks: t.exposeInt('openTasks', {
      description: 'Open tasks that are assigned to you, counted up to 1,000.',
    }),
    pendingApprovals: t.exposeInt('pendingApprovals', {
      description:
        'Approvals that you can decide now, of the first 1,000 that wait for your answer in the organization.',
    }),
  }),
});

const NONE = { openTasks: 0, pendingApprovals: 0 };

builder.objectField(Organization, 'viewerWork', (t) =>
  t.field({
    type: Work,
    description: 'Counts of your open work in it.',
    resolve: async ({ id }, _, { load }) => (await load.one(workInOrganizations, id)) ?? NONE,
  }),
);

builder.objectField(Project, 'viewerWork', (t) =>
  t.field({
    type: Work,
    description: 'Counts of your open work in it.',
    resolve: async ({ id }, _, { load }) => (await load.one(workInProjects, id)) ?? NONE,
  }),
);
