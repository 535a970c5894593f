import type {
  FormFieldRecordFragment,
  FormTemplateRecordFragment,
} from '../../generated/operations/graphql.ts';
import { FIELD_TYPES, fieldRecord } from '../fields/record.ts';
import { joinValues, valuesIn } from '../fields/values.ts';
import { projectAccess } from '../projects/record.ts';
import type { Members } from '../wire/members.ts';
import { text } from '../wire/values.ts';

type Form = FormTemplateRecordFragment;

const projectMembers = ({ organizationId, project }: Form) => ({
  OrganizationID: project ? organizationId : '',
  ProjectID: text(project?.id),
  ProjectName: text(project?.name),
  ProjectAccess: projectAccess(project?.access),
});

/** Members about what forms do not have here: a size of paper, an imported source, tags. */
const NO_PAGES = {
  Pages: [],
  PageSize: '',
  PageWidth: 0,
  PageHeight: 0,
  RenderType: '',
  DisableSnapToGrid: false,
  FormTemplateSourceID: '',
  FormTemplateSourceIsImported: false,
  FormTemplateSourceFailedProcessing: false,
  Tags: [],
  AssetItemTags: [],
  AssetItemTagAssetItemIDs: [],
};

/**
 * FormTemplate. On a form opened by its public link, `tenantId` is the secret of the link instead of the project:
 * clients send the member back as tenantId in their next requests. The members about its project are empty for a caller
 * who does not see that.
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
  ...projectMembers(form),
  ...NO_PAGES,
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
