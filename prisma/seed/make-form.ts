import { createFields } from '../../src/domain/fields/field-change.ts';
import { addFieldChoices } from '../../src/domain/fields/field-choice.ts';
import { type FormTemplate, formLink, formUrl } from '../../src/domain/forms/form.ts';
import { createFormTemplates } from '../../src/domain/forms/form-change.ts';
import { createFormFields } from '../../src/domain/forms/form-field-change.ts';
import { shareFormTemplates } from '../../src/domain/forms/form-share.ts';
import { submitForm } from '../../src/domain/forms/form-submit.ts';
import type { Context } from '../../src/domain/kernel/context.ts';
import { linkViewer } from '../../src/domain/kernel/viewer.ts';
import { fileNextForm } from '../../src/jobs/file-form.ts';
import { actAs, type SeedSite } from './site.ts';

/** The form's public URL, and the id of the field that the contract has a value of. */
export interface SeededForm {
  formUrl: string | null;
  contractSum: string;
}

/** Creates fields of the project, and a form with submissions and their documents. */
export async function makeForm(site: SeedSite, projectId: string): Promise<SeededForm> {
  const ctx = await actAs(site, 'owner');
  const { weather, people, day, remarks, sum } = await makeFields(ctx, projectId);
  const [form] = await createFormTemplates(ctx, { projectId, formTemplates: [{ name: 'Site visit' }] });
  const formTemplateId = form?.id as string;
  const formFields = await createFormFields(ctx, {
    formTemplateId,
    fields: [
      { fieldId: day, required: true },
      { fieldId: weather, required: true },
      { fieldId: people, minimum: '0', maximum: '500' },
      { fieldId: remarks },
    ],
  });
  const [shared] = await shareFormTemplates(ctx, { formTemplateIds: [formTemplateId], isPublic: true });
  if (!shared) return { formUrl: null, contractSum: sum };
  await submitVisits(
    site,
    shared,
    formFields.map(({ id }) => id),
  );
  while (await fileNextForm(site));
  return { formUrl: formUrl(ctx, shared), contractSum: sum };
}

/** Creates the fields of the project. Returns their ids. */
async function makeFields(ctx: Context, projectId: string) {
  const fields = await createFields(ctx, {
    projectId,
    fields: [
      { name: 'Weather', type: 'TEXT', rank: 1, choices: true },
      { name: 'People on site', type: 'NUMBER', rank: 2 },
      { name: 'Day of visit', type: 'DATE', rank: 3 },
      { name: 'Remarks', type: 'TEXT', rank: 4, multipleLines: true, rows: 4 },
      { name: 'Contract sum', type: 'CURRENCY', rank: 5, decimalPlaces: 2 },
    ],
  });
  type Ids = [weather: string, people: string, day: string, remarks: string, sum: string];
  const [weather, people, day, remarks, sum] = fields.map(({ id }) => id) as Ids;
  const choices = ['dry', 'rain', 'frost', 'storm'].map((value) => ({ value }));
  await addFieldChoices(ctx, { fieldId: weather, choices });
  return { weather, people, day, remarks, sum };
}

/** Submits the form three times: twice by members, once by somebody with the link. */
async function submitVisits(site: SeedSite, form: FormTemplate, formFieldIds: string[]) {
  const formTemplateId = form.id;
  const samuel = await actAs(site, 'samuel');
  const link = {
    ...samuel,
    viewer: linkViewer(formLink(samuel, form) ?? ''),
    client: { address: '192.0.2.17', userAgent: '' },
  };
  const visit = (...values: string[]) => ({
    formTemplateId,
    submissions: [
      {
        answers: values.map((value, index) => ({
          formFieldId: formFieldIds[index] as string,
          values: [value],
        })),
      },
    ],
  });
  await submitForm(samuel, visit('2026-08-12', 'dry', '14', 'The third bay is poured.'));
  await submitForm(await actAs(site, 'piotr'), visit('2026-08-19', 'rain', '6', 'Pumps run day and night.'));
  await submitForm(link, visit('2026-08-20', 'storm', '0', 'The site was closed at noon.'));
}
