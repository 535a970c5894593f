import { id } from '../shape.ts';
import { DIRECTIONS, EVENT, filtered, type List, node, ordered, organization, project } from './list.ts';

const MEMBER = 'role user { name }';

const NAMES = [
  'namePrefix: "person number 7"',
  'namePrefix: "nobody"',
  'emailPrefix: "person77"',
  'emailPrefix: "nobody"',
];

export const LISTS_OF_PEOPLE: List[] = [
  {
    name: 'members of an organization',
    parent: organization,
    field: 'members',
    select: MEMBER,
    as: ['owner', 'member', 'guest'],
    args: [
      ...ordered(['CREATED_AT', 'NAME', 'ROLE']),
      ...filtered(...NAMES, 'roles: [GUEST]', 'roles: [ADMIN]'),
    ],
  },
  {
    name: 'members with a second factor',
    parent: organization,
    field: 'members',
    select: MEMBER,
    as: ['owner'],
    args: filtered('hasSecondFactor: true', 'hasSecondFactor: false'),
  },
  {
    name: 'members of a project',
    parent: project(1),
    field: 'members',
    select: MEMBER,
    as: ['owner', 'member', 'guest'],
    args: [
      ...ordered(['CREATED_AT', 'NAME', 'ROLE']),
      ...filtered(...NAMES, 'roles: [VIEWER]', 'roles: [ADMIN]'),
    ],
  },
  {
    name: 'groups of an organization',
    parent: organization,
    field: 'groups',
    select: 'name',
    as: ['owner', 'member'],
    args: [...ordered(['CREATED_AT', 'NAME']), ...filtered('namePrefix: "group 7"')],
  },
  {
    name: 'members of a group',
    parent: node('node', 'grp', 1),
    field: '... on Group { members',
    select: MEMBER,
    as: ['owner', 'member'],
    args: [''],
  },
  {
    name: 'groups of a project',
    parent: project(1),
    field: 'groups',
    select: 'role',
    as: ['owner'],
    args: [''],
  },
  {
    name: 'projects of an organization',
    parent: organization,
    field: 'projects',
    select: 'name access',
    as: ['owner', 'member', 'guest', 'many'],
    args: [
      ...ordered(['CREATED_AT', 'NAME']),
      ...filtered('access: OPEN', 'namePrefix: "project 7"', 'viewerRoles: [VIEWER]', 'viewerRoles: [ADMIN]'),
    ],
  },
  {
    name: 'feed of an organization',
    parent: organization,
    field: 'events',
    select: EVENT,
    as: ['owner', 'member', 'guest'],
    args: [
      ...DIRECTIONS,
      'kinds: ["task.denied"]',
      'kinds: ["task.*"]',
      'kinds: ["project.*"]',
      `actorId: "${id('usr', 2)}"`,
      `projectId: "${id('prj', 1)}"`,
      `projectId: "${id('prj', 2)}"`,
      `projectId: "${id('prj', 4)}"`,
      'since: "2026-01-01T00:01:00Z"',
      'until: "2026-01-01T00:01:00Z"',
    ],
  },
  {
    name: 'notifications',
    parent: 'viewer',
    field: 'notifications',
    select: 'kind event { kind } subject { id }',
    as: ['owner', 'many'],
    args: [
      '',
      ...filtered(
        'isUnread: true',
        'isUnread: false',
        'kinds: [MENTIONED]',
        'kinds: [SIGNATURE_REQUESTED]',
        `projectId: "${id('prj', 1)}"`,
        `projectId: "${id('prj', 2)}"`,
      ),
    ],
  },
  {
    name: 'organizations of a viewer',
    parent: 'viewer',
    field: 'organizations',
    select: 'name viewerRole',
    as: ['many'],
    args: [...ordered(['CREATED_AT', 'NAME']), 'search: "Northwind 5"'],
  },
];
