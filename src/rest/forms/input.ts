import { valueMembers } from '../fields/values.ts';
import { ids } from '../shape/ids.ts';
import { type InputMember, input } from '../shape/input.ts';
import { flag, mapped, objects, text, texts } from '../shape/input-member.ts';

export const formShare = input(
  'FormShare',
  'Forms, and the people who may fill them in.',
  {
    formTemplateIds: ids('The ids of the forms.'),
    userEmails: texts('UserEmails', 'The people to share them with.'),
    isPublic: flag('IsPublic', 'Whether anyone with the link may fill them in.'),
    message: text('Message', 'A message to those people.'),
  },
  { example: { IDs: ['frm_01k9cz4h7daxkhmmsv33vqebrs'], IsPublic: true } },
);

const formFieldId: InputMember<string> = {
  members: {
    ID: 'string The field of the form.',
    FormTemplateFieldID: 'string The field of the form, if ID is not its id.',
  },
  names: { '': 'FormTemplateFieldID|ID' },
  read: (item) => item.text('FormTemplateFieldID') || item.required('ID'),
};

export const formAnswer = input(
  'FormAnswer',
  'The answer to one field. A whole FormTemplateField may be sent; its other members are ignored.',
  { formFieldId, values: valueMembers('The value.', 'Several values, as a JSON array in text.') },
  { example: { ID: 'ffd_01k99xnv12gdbbfd81yavj5zg2', Value: 'P-2031-44' } },
);

export const formSubmission = input(
  'FormSubmission',
  'A submitted form.',
  {
    answers: mapped(objects('FormSubmissionFields', formAnswer, 'The answers.'), (answers) => answers ?? []),
  },
  {
    besides: {
      TenantID: 'string The project of the form; with a public link, the secret of the link.',
      FormTemplateID: 'string If sent, the id in the path.',
    },
    example: { FormSubmissionFields: [{ ID: 'ffd_01k99xnv12gdbbfd81yavj5zg2', Value: 'P-2031-44' }] },
  },
);
