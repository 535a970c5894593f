import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { hashSecret, newSecret } from '../../lib/secret.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { badInput, conflict } from '../kernel/errors.ts';
import { email, parse, text } from '../kernel/input.ts';
import type { FormTemplate } from './form.ts';
import { newEvent, requireForms, rereadForms, touchForm } from './form-change.ts';

const several = {
  organizationId: z.string().nullish(),
  projectId: z.string().nullish(),
  formTemplateIds: z.array(z.string()),
};

const sharing = z.strictObject({
  ...several,
  userEmails: z.array(email).max(100).nullish(),
  isPublic: z.boolean().nullish(),
  message: text(2_000).nullish(),
});

/**
 * Shares forms, all or none: with people, who find them once they belong to the organization, and with isPublic with
 * whoever has the link; isPublic false takes the link back. Who they are shared with already stays. Takes the role EDITOR
 * in the project.
 */
export function shareFormTemplates(ctx: Context, input: z.input<typeof sharing>): Promise<FormTemplate[]> {
  const { formTemplateIds, userEmails, isPublic, message, ...within } = parse(sharing, input);
  const added = userEmails ?? [];
  if (added.length === 0 && isPublic == null)
    throw badInput('userEmails: say with whom to share, or whether it is public', 'userEmails');
  return inTransaction(ctx.db, async (tx) => {
    const forms = await requireForms(ctx, tx, formTemplateIds, within, 'EDITOR');
    const told = forms.map((form) => ({
      form,
      isPublic: isPublic ?? form.isPublic,
      emails: [...new Set([...form.sharedWith, ...added])],
    }));
    return settle(ctx, tx, told, message ? { message } : {});
  });
}

const unsharing = z.strictObject({ ...several, userEmails: z.array(email).max(100).nullish() });

/**
 * Takes forms back, all or none: from these people, or without userEmails from everyone, the public link included.
 * CONFLICT when one is not shared. Takes the role EDITOR in the project.
 */
export function unshareFormTemplates(
  ctx: Context,
  input: z.input<typeof unsharing>,
): Promise<FormTemplate[]> {
  const { formTemplateIds, userEmails, ...within } = parse(unsharing, input);
  return inTransaction(ctx.db, async (tx) => {
    const forms = await requireForms(ctx, tx, formTemplateIds, within, 'EDITOR');
    if (forms.some(({ state }) => state === 'PRIVATE'))
      throw conflict('A form is not shared.', 'formTemplateIds');
    const told = forms.map((form) => ({
      form,
      isPublic: userEmails ? form.isPublic : false,
      emails: userEmails ? form.sharedWith.filter((each) => !userEmails.includes(each)) : [],
    }));
    return settle(ctx, tx, told, {});
  });
}

interface Shares {
  form: FormTemplate;
  isPublic: boolean;
  emails: string[];
}

async function settle(ctx: Context, tx: Transaction, told: Shares[], said: { message?: string }) {
  for (const each of told) await set(ctx, tx, each);
  const forms = told.map(({ form }) => form);
  await recordEvents(
    ctx,
    tx,
    told.map(({ form, isPublic, emails }) =>
      newEvent(form, isPublic || emails.length > 0 ? 'form.shared' : 'form.unshared', {
        before: { isPublic: form.isPublic, userEmails: form.sharedWith },
        after: { isPublic, userEmails: emails, ...said },
      }),
    ),
  );
  return rereadForms(ctx, tx, forms);
}

const NO_LINK = { linkHash: null, linkSealed: null };

/** The hash finds the form; sealed, the secret can be shown again. */
function newLink({ storage }: Context, { id }: FormTemplate) {
  const secret = newSecret('dgl_');
  return { linkHash: hashSecret(secret), linkSealed: storage.vault.seal(secret, id) };
}

/** Each time a form becomes public it gets a new link: one that was taken back opens nothing ever again. */
async function set(ctx: Context, tx: Transaction, { form, isPublic, emails }: Shares): Promise<void> {
  const { organizationId, id: formTemplateId } = form;
  await tx.prisma.formShare.deleteMany({
    where: { organizationId, formTemplateId, email: { notIn: emails } },
  });
  await tx.prisma.formShare.createMany({
    data: emails.map((each) => ({
      organizationId,
      formTemplateId,
      email: each,
      createdById: ctx.viewer.userId,
    })),
    skipDuplicates: true,
  });
  await touchForm(ctx, tx, form, {
    state: isPublic || emails.length > 0 ? 'SHARED' : 'PRIVATE',
    isPublic,
    ...(isPublic !== form.isPublic && (isPublic ? newLink(ctx, form) : NO_LINK)),
  });
}
