import { badInput } from '../../domain/kernel/errors.ts';
import type {
  FormFieldRecordFragment,
  FormTemplateRecordFragment,
} from '../../generated/operations/graphql.ts';
import { FIELD_TYPES, fieldRecord } from '../fields/record.ts';
import type { Members } from '../wire/read.ts';
import { text } from '../wire/wire.ts';

type Form = FormTemplateRecordFragment;

/**
 * FormTemplate. `tenantId`: what it says of the project; a public link stands there itself, since clients send it back
 * as tenantId with what they ask next.
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

/** Several values in one member: a JSON array, empty for none. */
const joined = (values: readonly string[]): string => (values.length > 0 ? JSON.stringify(values) : '');

/** FormTemplateField. Its Field is required where the form says so, too: there is no other member to tell it. */
export const formFieldRecord = (
  form: Form,
  { field, ...place }: FormFieldRecordFragment,
  tenantId: string = form.projectId,
) => ({
  ID: place.id,
  FormTemplateID: form.id,
  FormTemplateName: form.name,
  FormTemplateNameLower: form.name.toLowerCase(),
  TenantID: tenantId,
  UniqueID: place.linkId,
  CreatedOn: place.createdAt,
  Type: FIELD_TYPES[field.type],
  FieldID: field.id,
  Field: { ...fieldRecord(field), Required: place.required },
  PageIndex: place.pageIndex,
  X: place.x,
  Y: place.y,
  Width: place.width,
  FontSize: place.fontSize,
  UseColumnLayout: place.columnLayout,
  AssetBucketName: '',
  AssetObjectName: '',
  AssetContentType: '',
  AssetSignedUrl: '',
  DefaultValue: text(place.defaultValues[0]),
  DefaultValues: joined(place.defaultValues),
  PossibleValues: place.possibleValues,
  Value: '',
  Values: '',
});

/** What a FormSubmissionField answers: Values, as `joined` writes them, or else Value. */
export function answerIn(field: Members) {
  const formFieldId = field.text('FormTemplateFieldID') || field.required('ID');
  const values = field.text('Values');
  const value = field.text('Value');
  return { formFieldId, values: values ? parted(values) : value ? [value] : [] };
}

function parted(values: string): string[] {
  if (!values.startsWith('[')) return [values];
  try {
    const found: unknown = JSON.parse(values);
    if (Array.isArray(found) && found.every((each) => typeof each === 'string')) return found;
  } catch {}
  throw badInput('Values must be a JSON array of strings.', 'Values');
}
