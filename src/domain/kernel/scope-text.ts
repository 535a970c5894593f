import type { ApplicationScope } from './scope.ts';

interface ScopeText {
  /** What it allows, to be read after "it will be able to". */
  text: string;
  /** What it allows that cannot be taken back, or reaches other people; to be read likewise. */
  danger?: string;
}

/** What each scope allows, in words for the people who are asked. */
export const SCOPE_TEXTS: Record<ApplicationScope, ScopeText> = {
  read: {
    text: 'See everything that you can see: organizations, projects, documents, tasks, forms, approvals and signatures, and your own settings',
  },
  write: {
    text: 'Create and change in your name whatever you can change, except members, invitations, API keys and applications',
    danger: 'Delete things, ask people to sign, and approve or deny in your name',
  },
  'organizations:read': {
    text: 'See your organizations and projects with their members, fields and tags',
  },
  'organizations:write': {
    text: 'Create and change projects, fields and saved searches',
    danger: 'Delete projects and fields',
  },
  'members:write': {
    text: 'Invite people to organizations and projects, and change and remove members, except owners, admins and you',
    danger: 'Let people into your organizations and projects, and remove members from them',
  },
  'documents:read': { text: 'See and download documents, with their folders, revisions and comments' },
  'documents:write': {
    text: 'Upload, change, move and comment on documents and folders',
    danger: 'Delete documents and folders',
  },
  'tasks:read': { text: 'See tasks and their comments' },
  'tasks:write': { text: 'Create, assign, complete, deny and comment on tasks' },
  'forms:read': { text: 'See forms and what people answered' },
  'forms:write': {
    text: 'Create, change and fill in forms',
    danger: 'Share forms with anybody, and delete them',
  },
  'approvals:read': { text: 'See approvals and processes' },
  'approvals:write': {
    text: 'Create, change and start processes',
    danger: 'Approve, deny and delegate in your name',
  },
  'signatures:read': { text: 'See what is to be signed, and who signed what' },
  'signatures:write': {
    text: 'Prepare and stop signing sessions',
    danger: 'Ask people to sign, and sign or decline in your name',
  },
  'events:read': {
    text: 'Follow what happens to whatever it may see; see your notifications, webhooks and their deliveries',
  },
  'webhooks:write': {
    text: 'Create, change, test and repeat webhooks',
    danger: 'Have events sent to addresses on the internet',
  },
  openid: { text: 'Know that it is you, by an identifier of your account, and when you signed in' },
  profile: { text: 'See your name' },
  email: { text: 'See your e-mail address, and whether it is verified' },
};
