import type {
  FormFieldRecordFragment,
  FormTemplateRecordFragment,
} from '../../generated/operations/graphql.ts';
import { FIELD_TYPES, fieldRecord } from '../fields/record.ts';
import { joinValues, valuesIn } from '../fields/values.ts';
import type { Members } from '../wire/members.ts';
import { text } from '../wire/values.ts';

type Form = FormTemplateRecordFragment;

/**
 * FormTemplate. On a form opened by its public link, `tenantId` is the secret of the link instead of the project:
 * clients send the member back as tenantId in their next requests.
 */
export const formTemplateRecord = (form: Form, tenantId: string = form.projectId) => ({
  ID: form.id,
  TenantID: tenantId,
  UniqueID: text(form.linkId),
  PublicUrl: text(form.publicUrl),
  CreatedOn: form.createdAt,
  Name: form.name,
  NameLower: form.name.toLowerCase(),
  PageCount: form.pageCount,
  IsPublic: form.isPublic,
  ClassificationID: '',
  ClassificationName: '',
  ClassificationNameLower: '',
  Aspect: form.aspect,
});

/** FormTemplateField. Whether the form requires it is in its Field, as the contract has no other member for it. */
export const formFieldRecord = (
  form: Form,
  { field, ...formField }: FormFieldRecordFragment,
  tenantId: string = form.projectId,
) => ({
  ID: formField.id,
  FormTemplateID: form.id,
  FormTemplateName: form.name,
  FormTemplateNameLower: form.name.toLowerCase(),
  TenantID: tenantId,
  UniqueID: formField.linkId,
  CreatedOn: formField.createdAt,
  Type: FIELD_TYPES[field.type],
  FieldID: field.id,
  Field: { ...fieldRecord(field), Required: formField.required },
  PageIndex: formField.pageIndex,
  X: formField.x,
  Y: formField.y,
  Width: formField.width,
  FontSize: formField.fontSize,
  UseColumnLayout: formField.columnLayout,
  AssetBucketName: '',
  AssetObjectName: '',
  AssetContentType: '',
  AssetSignedUrl: '',
  DefaultValue: text(formField.defaultValues[0]),
  DefaultValues: joinValues(formField.defaultValues),
  PossibleValues: formField.possibleValues,
  Value: '',
  Values: '',
});

/** The answer in a FormSubmissionField. */
export const answerOf = (item: Members) => ({
  formFieldId: item.text('FormTemplateFieldID') || item.required('ID'),
  values: valuesIn(item),
});
