import { newMember, newProjectMember } from '../../../members/input.ts';
import { shapesOf } from '../../../shape/shape.ts';
import type { Area } from '../contract.ts';

const IGNORED = 'Accepted and ignored.';

export const memberArea: Area = {
  title: 'Members',
  about: 'The members of organizations and projects.',
  inputs: shapesOf([newMember, newProjectMember]),
  operations: {
    listOrganizationMembers: {
      summary: 'List the members of an organization',
      details:
        'The open invitations follow for owners and admins: records without a user, whose `Disabled` is true.',
      query: { homePath: `string ${IGNORED}` },
      answer: 'OrganizationMember[]',
    },
    addOrganizationMembers: {
      summary: 'Invite people to an organization',
      details:
        'The id of each record is the id of the invitation; `Disabled` is true until the invitation is accepted.',
      query: { homePath: `string ${IGNORED}` },
      body: 'MemberInput[]',
      answer: 'OrganizationMember[]',
    },
    listProjectMembers: {
      summary: 'List the members of a project',
      details:
        'For owners and admins of the organization, the invited people follow who join the project when they accept: records without a user, whose `Disabled` is true.',
      query: {
        metaFieldFilters_json:
          'string A JSON array of {`FieldID`, `FieldType`, `FieldValue`, `Operator`}; a member must meet all of them. FieldID is `Meta_text_kw256lc[UserEmail].keyword`, FieldType `FieldType_Text`, Operator `equals` or `startsWith`.',
        getAll: 'boolean All members in one page, whose PageSize is 0.',
      },
      answer: { key: 'ProjectMembers', of: 'ProjectMember' },
    },
    addProjectMembers: {
      summary: 'Add members of the organization to a project',
      details:
        'A person who is invited to the organization joins the project when they accept; until then, `Disabled` is true. Owners and admins of the organization can add invited people.',
      query: { homePath: `string ${IGNORED}`, projectPath: `string ${IGNORED}` },
      body: 'ProjectMemberInput[]',
      answer: 'ProjectMember[]',
    },
    listGroups: {
      summary: 'List the groups of people',
      details:
        'Groups belong to the organization: each of its projects lists the same, with its own ids. By name. Guests see those that they are in.',
      query: {
        getAll: 'boolean All groups in one page, whose PageSize is 0.',
        sortDescending: 'boolean By name, descending.',
      },
      answer: { key: 'Groups', of: 'Group' },
    },
  },
};
