import { badValue, notFound } from '../../domain/kernel/errors.ts';
import {
  type FormTemplateRecordFragment,
  GetFormTemplateDocument,
  ListFormFieldChoicesDocument,
  ListFormFieldsDocument,
  SubmitFormDocument,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { isLinkSecret } from '../../lib/secret.ts';
import { choiceRecord } from '../fields/record.ts';
import type { Members } from '../wire/members.ts';
import { allPages } from '../wire/operations.ts';
import type { RestRequest } from '../wire/request.ts';
import { type Route, route } from '../wire/route.ts';
import { formSubmission } from './input.ts';
import { formFieldRecord, formTemplateRecord } from './record.ts';

/**
 * The routes that open a form and fill it in, with the secret of its public link: in `uniqueId`, or in `tenantId`, as
 * the opened form has the secret as its TenantID. Without one they need a bearer token, and tenantId is the project.
 */
export const FORM = '/formTemplatesPublic/:formTemplateId';

/** Of choices in a reply; people narrow the list by `valueFilter`. */
const MAX_CHOICES = 1_000;

const formIn = ({ path }: RestRequest) => path.formTemplateId as string;

const tenantsIn = ({ query, body }: RestRequest) => [query.text('tenantId'), body.first()?.text('TenantID')];

const link = (request: RestRequest): string | undefined =>
  request.query.text('uniqueId') || tenantsIn(request).find((tenant) => tenant && isLinkSecret(tenant));

/** The project in a tenantId; undefined for the secret of a link. */
const projectIn = (tenant: string | undefined) => (tenant && !isLinkSecret(tenant) ? tenant : undefined);

/** The form, if it is the one in the path, and in the project if the request names one. Throws NOT_FOUND. */
export function requireForm<Form extends FormTemplateRecordFragment>(
  form: Form | null | undefined,
  request: RestRequest,
): Form {
  const projectId = projectIn(request.query.text('tenantId'));
  if (form?.id !== formIn(request) || (projectId && projectId !== form.projectId)) throw notFound('Form');
  return form;
}

/** The value of a member that clients repeat in each package. Throws BAD_USER_INPUT if they differ. */
function commonValue(packages: Members[], name: string): string | undefined {
  const values = new Set(packages.map((each) => each.text(name) || undefined));
  if (values.size > 1) throw badValue(name, 'differs between the packages.', { separator: ' ' });
  return [...values][0];
}

export const publicFormRoutes: Route[] = [
  route({
    id: 'openPublicForm',
    method: 'GET',
    path: FORM,
    link,
    operation: storedOperation(GetFormTemplateDocument),
    in: (request) => ({ formTemplateId: formIn(request) }),
    out: ({ formTemplate }, request) => formTemplateRecord(requireForm(formTemplate, request), link(request)),
  }),
  {
    id: 'listPublicFormFields',
    method: 'GET',
    path: `${FORM}/fields`,
    link,
    operations: allPages({
      operation: storedOperation(ListFormFieldsDocument),
      in: (request) => ({ formTemplateId: formIn(request) }),
      list: ({ formTemplate }, request) => {
        const { fields, ...form } = requireForm(formTemplate, request);
        return { ...fields, nodes: fields.nodes.map((field) => formFieldRecord(form, field, link(request))) };
      },
      out: (fields) => fields,
    }),
  },
  {
    id: 'listPublicFormChoices',
    names: { formFieldId: 'formTemplateFieldId', prefix: 'valueFilter', parentValue: 'parentValue' },
    method: 'GET',
    path: `${FORM}/fields/:formTemplateFieldId/listItems`,
    link,
    operations: allPages({
      operation: storedOperation(ListFormFieldChoicesDocument),
      in: ({ path, query }) => ({
        formFieldId: path.formTemplateFieldId as string,
        parentValue: query.text('parentValue'),
        prefix: query.text('valueFilter'),
      }),
      list: ({ formField }, request) => {
        if (!formField) throw notFound('Form field');
        requireForm(formField.formTemplate, request);
        return formField.choices;
      },
      limit: MAX_CHOICES,
      out: (choices) => choices.map(choiceRecord),
    }),
  },
  route({
    id: 'submitPublicForm',
    names: {
      submissions: '',
      projectId: '0.TenantID|tenantId',
      ...formSubmission.names,
    },
    method: 'POST',
    path: `${FORM}/submissions`,
    link,
    operation: storedMutation(SubmitFormDocument),
    in: (request) => {
      const packages = request.body.array();
      const formId = commonValue(packages, 'FormTemplateID');
      if (formId && formId !== formIn(request)) throw badValue('0.FormTemplateID', 'differs from the path.');
      return {
        input: {
          formTemplateId: formIn(request),
          projectId: projectIn(commonValue(packages, 'TenantID') ?? request.query.text('tenantId')),
          submissions: packages.map(formSubmission),
        },
      };
    },
    out: () => undefined,
  }),
];
