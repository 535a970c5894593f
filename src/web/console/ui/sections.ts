import type { OrganizationRole } from '../../../generated/operations/graphql.ts';

interface Section {
  path: string;
  text: string;
  about: string;
  /** Everybody who sees the organization, unless it says who. */
  roles?: readonly OrganizationRole[];
}

/** The roles that manage an organization. */
export const MANAGERS: readonly OrganizationRole[] = ['OWNER', 'ADMIN'];

const SECTIONS: readonly Section[] = [
  { path: 'people', text: 'People', about: 'Who belongs to it, and who is invited.' },
  { path: 'groups', text: 'Groups', about: 'Who takes part in projects, or decides, together.' },
  { path: 'projects', text: 'Projects', about: 'Where its documents, tasks and forms are.' },
  {
    path: 'approvals',
    text: 'Approvals',
    about: 'What waits for your decision, and what was decided.',
  },
  {
    path: 'apps',
    text: 'Applications',
    about: 'Applications of the organization: secrets, redirect addresses, requests to copy.',
  },
  {
    path: 'access',
    text: 'Applications of others',
    about: 'Which applications of other organizations members use, and which may act here.',
    roles: MANAGERS,
  },
  {
    path: 'webhooks',
    text: 'Webhooks',
    about: 'Events sent to addresses: deliveries, answers, sending again.',
    roles: MANAGERS,
  },
  {
    path: 'use',
    text: 'Use of the APIs',
    about: 'Requests of its applications, and what they use that is deprecated.',
    roles: MANAGERS,
  },
  { path: 'mails', text: 'Mails', about: 'What became of each mail of the last 90 days.', roles: MANAGERS },
  {
    path: 'storage',
    text: 'Storage',
    about: 'How many documents there are, and how much space they take.',
    roles: MANAGERS,
  },
  {
    path: 'retention',
    text: 'Retention',
    about: 'How long documents are kept, and what becomes of them then.',
  },
  { path: 'export', text: 'Export', about: 'All that it has, in one file to download.', roles: ['OWNER'] },
  {
    path: 'settings',
    text: 'Settings',
    about: 'Its name, and whether members need a second factor.',
    roles: MANAGERS,
  },
  {
    path: 'security',
    text: 'Security events',
    about: 'Who changed who can get in, and how.',
    roles: MANAGERS,
  },
  { path: 'log', text: 'Log', about: 'What happened, by whom; as a file too.' },
];

/** The pages of an organization that its viewer may open, as the menu and the overview show them. */
export const sectionsOf = ({ id, viewerRole }: { id: string; viewerRole: OrganizationRole }) =>
  SECTIONS.filter(({ roles }) => !roles || roles.includes(viewerRole)).map(({ path, text, about }) => ({
    href: `/console/${id}/${path}`,
    text,
    about,
  }));
