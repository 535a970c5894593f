import type {
  FormFieldRecordFragment,
  FormTemplateRecordFragment,
} from '../../generated/operations/graphql.ts';
import { assetItemTags } from '../fields/asset-item-tag.ts';
import { FIELD_TYPES, fieldRecord } from '../fields/record.ts';
import { joinValues } from '../fields/values.ts';
import { projectAccess } from '../projects/record.ts';
import {
  boolean,
  integer,
  lower,
  member,
  number,
  one,
  record,
  string,
  strings,
  time,
} from '../shape/record.ts';

type Form = FormTemplateRecordFragment;

/**
 * A form as it was opened. By its public link, `tenantId` is the secret of the link instead of the project: clients
 * send the member back as tenantId in their next requests.
 */
type OpenForm = Form & { tenantId: string };

/**
 * The members about its project are empty for a caller who does not see that. Forms have no size of paper, no imported
 * source and no tags here.
 */
const formRecord = record<OpenForm>(
  'FormTemplate',
  'A form.',
  {
    ID: string((form) => form.id),
    TenantID: string((form) => form.tenantId),
    UniqueID: string((form) => form.linkId),
    PublicUrl: string((form) => form.publicUrl),
    CreatedOn: time((form) => form.createdAt),
    Name: string((form) => form.name),
    NameLower: lower((form) => form.name),
    PageCount: integer((form) => form.pageCount),
    IsPublic: boolean((form) => form.isPublic, 'Whether anyone with the link may fill it in.', true),
    ClassificationID: string(() => ''),
    ClassificationName: string(() => ''),
    ClassificationNameLower: string(() => ''),
    Aspect: number((form) => form.aspect, 'The height of a page divided by its width.', 0.77),
    OrganizationID: string((form) => (form.project ? form.organizationId : '')),
    ProjectID: string((form) => form.project?.id),
    ProjectName: string((form) => form.project?.name),
    ProjectAccess: one(projectAccess, (form) => form.project?.access),
    Pages: member('{string}[]', () => [], 'Always empty.'),
    PageSize: string(() => '', 'Always empty.'),
    PageWidth: number(() => 0, 'Always 0.'),
    PageHeight: number(() => 0, 'Always 0.'),
    RenderType: string(() => '', 'Always empty.'),
    DisableSnapToGrid: boolean(() => false, 'Always false.'),
    FormTemplateSourceID: string(() => '', 'Always empty.'),
    FormTemplateSourceIsImported: boolean(() => false, 'Always false.'),
    FormTemplateSourceFailedProcessing: boolean(() => false, 'Always false.'),
    Tags: strings(() => [], 'Always empty.'),
    AssetItemTags: assetItemTags,
    AssetItemTagAssetItemIDs: strings(() => []),
  },
  { ID: 'frm_01k9cz4h7daxkhmmsv33vqebrs', Name: 'Site visit', UniqueID: 'Jr4…' },
);

export const formTemplateRecord = (form: Form, tenantId: string = form.projectId) =>
  formRecord({ ...form, tenantId });

type OpenFormField = FormFieldRecordFragment & { form: Form; tenantId: string };

/** Whether the form requires it is in its Field, as the contract has no other member for it. */
const fieldOfFormRecord = record<OpenFormField>(
  'FormTemplateField',
  'A field of a form.',
  {
    ID: string((field) => field.id),
    FormTemplateID: string((field) => field.form.id),
    FormTemplateName: string((field) => field.form.name),
    FormTemplateNameLower: lower((field) => field.form.name),
    TenantID: string((field) => field.tenantId),
    UniqueID: string((field) => field.linkId),
    CreatedOn: time((field) => field.createdAt),
    Type: string(({ field }) => FIELD_TYPES[field.type]),
    FieldID: string(({ field }) => field.id),
    Field: member(
      fieldRecord.shapeName,
      ({ field, required }) => ({ ...fieldRecord(field), Required: required }),
      'The field of the project that the form collects.',
    ),
    PageIndex: integer((field) => field.pageIndex),
    X: number((field) => field.x),
    Y: number((field) => field.y),
    Width: number((field) => field.width, 'Its width, in percent of the page.', 30),
    FontSize: integer((field) => field.fontSize, 'The font size.', 11),
    UseColumnLayout: boolean((field) => field.columnLayout, 'Whether its choices are laid out in columns.'),
    AssetBucketName: string(() => '', 'Always empty.'),
    AssetObjectName: string(() => '', 'Always empty.'),
    AssetContentType: string(() => '', 'Always empty.'),
    AssetSignedUrl: string(() => '', 'Always empty.'),
    DefaultValue: string((field) => field.defaultValues[0], 'The default value; may be empty.'),
    DefaultValues: string(
      (field) => joinValues(field.defaultValues),
      'The default values as a JSON array in text; empty if there are none.',
    ),
    PossibleValues: strings((field) => field.possibleValues, 'The choices.'),
    Value: string(() => ''),
    Values: string(() => '', 'The values as a JSON array in text; empty if there are none.'),
  },
  { ID: 'ffd_01k99xnv12gdbbfd81yavj5zg2', Type: 'FieldType_Text' },
);

export const formFieldRecord = (
  form: Form,
  field: FormFieldRecordFragment,
  tenantId: string = form.projectId,
) => fieldOfFormRecord({ ...field, form, tenantId });

export const formRecords = [formRecord, fieldOfFormRecord];
