import { notFound } from '../../domain/kernel/errors.ts';
import { AddFieldChoicesDocument, GetFormFieldFieldDocument } from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { CHOICE_NAMES, choicesIn, isFile } from '../fields/choice-routes.ts';
import { type Execute, sequence } from '../wire/operations.ts';
import type { RestRequest } from '../wire/request.ts';
import type { Route } from '../wire/route.ts';
import { FORM, requireForm } from './public-routes.ts';

const GET = storedOperation(GetFormFieldFieldDocument);
const ADD = storedMutation(AddFieldChoicesDocument);

/** Adds choices to the project's field behind a form field. A public link does not open this: it requires a role. */
async function addChoices(request: RestRequest, execute: Execute): Promise<void> {
  const { formField } = await execute(GET, { formFieldId: request.path.formTemplateFieldId as string });
  if (!formField) throw notFound('Form field');
  const { projectId } = requireForm(formField.formTemplate, request);
  const { id: fieldId, choicesDependOnParent } = formField.field;
  await execute(ADD, { input: { projectId, fieldId, ...choicesIn(request, choicesDependOnParent) } });
}

export const publicChoiceRoutes: Route[] = [
  {
    id: 'addPublicFormChoices',
    names: CHOICE_NAMES,
    method: 'POST',
    path: `${FORM}/fields/:formTemplateFieldId/listItems`,
    takesText: isFile,
    operations: sequence([GET, ADD], addChoices),
  },
];
