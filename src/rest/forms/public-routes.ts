import { badInput, notFound } from '../../domain/kernel/errors.ts';
import {
  type FormTemplateRecordFragment,
  GetFormTemplateDocument,
  ListFormFieldChoicesDocument,
  ListFormFieldsDocument,
  SubmitFormDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { isLinkSecret } from '../../lib/secret.ts';
import { everyPage } from '../wire/every-page.ts';
import type { Members } from '../wire/read.ts';
import { type RestRequest, type Route, route } from '../wire/route.ts';
import { answerIn, formFieldRecord, formTemplateRecord } from './record.ts';

/**
 * The rows by which a form is opened and filled in. The permission is the secret of its public link: in `uniqueId`, or
 * where clients say the project, for what the opened form has as TenantID is that secret. Without one, these rows ask
 * for a bearer, and tenantId is the form's project.
 */
const FORM = '/formTemplatesPublic/:formTemplateId';

const FIELDS = storedOperation(ListFormFieldsDocument);
const CHOICES = storedOperation(ListFormFieldChoicesDocument);

/** Who types finds the others by valueFilter. */
const MOST_CHOICES = 1_000;

/** FieldListItem. */
const choiceRecord = ({ id, parentValue, value }: { id: string; parentValue: string; value: string }) => ({
  ID: id,
  ParentValue: parentValue,
  Value: value,
});

const formIn = ({ path }: RestRequest) => path.formTemplateId as string;

const tenants = ({ query, body }: RestRequest) => [query.text('tenantId'), body.first()?.text('TenantID')];

const link = (request: RestRequest): string | undefined =>
  request.query.text('uniqueId') || tenants(request).find((tenant) => tenant && isLinkSecret(tenant));

/** The project that the caller says the form is of. */
const projectIn = (tenant: string | undefined) => (tenant && !isLinkSecret(tenant) ? tenant : undefined);

/** A form is found only under its own id, and project where one is given. */
function placed<Form extends FormTemplateRecordFragment>(
  form: Form | null | undefined,
  request: RestRequest,
): Form {
  const projectId = projectIn(request.query.text('tenantId'));
  if (form?.id !== formIn(request) || (projectId && projectId !== form.projectId)) throw notFound('Form');
  return form;
}

/** One answer of several packages, which clients repeat in each. */
function agreed(packages: Members[], name: string): string | undefined {
  const said = new Set(packages.map((each) => each.text(name) || undefined));
  if (said.size > 1) throw badInput(`${name} differs between the packages.`, name);
  return [...said][0];
}

export const publicFormRoutes: Route[] = [
  route({
    id: 'openPublicForm',
    method: 'GET',
    path: FORM,
    link,
    operation: storedOperation(GetFormTemplateDocument),
    in: (request) => ({ formTemplateId: formIn(request) }),
    out: ({ formTemplate }, request) => formTemplateRecord(placed(formTemplate, request), link(request)),
  }),
  {
    id: 'listPublicFormFields',
    method: 'GET',
    path: `${FORM}/fields`,
    link,
    scope: FIELDS.scope,
    run: (request, execute) =>
      everyPage(async (after) => {
        const { formTemplate } = await execute(FIELDS, { formTemplateId: formIn(request), after });
        const { fields, ...form } = placed(formTemplate, request);
        return { ...fields, nodes: fields.nodes.map((field) => formFieldRecord(form, field, link(request))) };
      }),
  },
  {
    id: 'listPublicFormChoices',
    method: 'GET',
    path: `${FORM}/fields/:formTemplateFieldId/listItems`,
    link,
    scope: CHOICES.scope,
    run: (request, execute) =>
      everyPage(async (after) => {
        const { formField } = await execute(CHOICES, {
          formFieldId: request.path.formTemplateFieldId as string,
          parentValue: request.query.text('parentValue'),
          prefix: request.query.text('valueFilter'),
          after,
        });
        if (!formField) throw notFound('Form field');
        placed(formField.formTemplate, request);
        const { nodes, pageInfo } = formField.choices;
        return { pageInfo, nodes: nodes.map(choiceRecord) };
      }, MOST_CHOICES),
  },
  route({
    id: 'submitPublicForm',
    method: 'POST',
    path: `${FORM}/submissions`,
    link,
    operation: storedOperation(SubmitFormDocument),
    in: (request) => {
      const packages = request.body.array();
      const named = agreed(packages, 'FormTemplateID');
      if (named && named !== formIn(request))
        throw badInput('FormTemplateID differs from the path.', 'FormTemplateID');
      return {
        input: {
          formTemplateId: formIn(request),
          projectId: projectIn(agreed(packages, 'TenantID') ?? request.query.text('tenantId')),
          submissions: packages.map((each) => ({
            answers: (each.list('FormSubmissionFields') ?? []).map(answerIn),
          })),
        },
      };
    },
    out: () => undefined,
  }),
];
