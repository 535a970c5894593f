import { input } from '../shape/input.ts';
import { requiredText } from '../shape/input-member.ts';

export const newOrganization = input(
  'OrganizationInput',
  'A new organization.',
  { name: requiredText('Name') },
  { example: { Name: 'Harbour Works' } },
);
