import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { hashSecret, newSecret } from '../../lib/secret.ts';
import { changes, recordEvents, subjectEvent } from '../kernel/audit.ts';
import { positionIn } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, conflict } from '../kernel/errors.ts';
import { email, parse, text } from '../kernel/input.ts';
import { projectPath } from '../kernel/project-path.ts';
import type { FormTemplate } from './form.ts';
import { requireForms, rereadForms, touchForm } from './form-change.ts';

const batchInput = {
  ...projectPath,
  formTemplateIds: z.array(z.string()),
};

const sharing = z.strictObject({
  ...batchInput,
  userEmails: z.array(email).max(100).nullish(),
  isPublic: z.boolean().nullish(),
  message: text(2_000).nullish(),
});

/**
 * Shares forms, all or nothing, with addresses in addition to those they have; members of the organization with these
 * addresses see them. isPublic: true shares with everyone who has the link, false revokes the link. message: for the
 * notification. Requires the role EDITOR. Throws NOT_FOUND, BAD_USER_INPUT without userEmails and isPublic.
 */
export function shareFormTemplates(ctx: Context, input: z.input<typeof sharing>): Promise<FormTemplate[]> {
  const { formTemplateIds, userEmails, isPublic, message, ...path } = parse(sharing, input);
  const added = userEmails ?? [];
  if (added.length === 0 && isPublic == null)
    throw badValue('userEmails', 'say with whom to share, or whether it is public');
  return inTransaction(ctx.db, async (tx) => {
    const forms = await requireForms(ctx, tx, formTemplateIds, path, 'changeForms');
    const shares = forms.map((form) => ({
      form,
      isPublic: isPublic ?? form.isPublic,
      emails: [...new Set([...form.sharedWith, ...added])],
    }));
    return writeShares(ctx, tx, shares, message);
  });
}

const unsharing = z.strictObject({ ...batchInput, userEmails: z.array(email).max(100).nullish() });

/**
 * Stops sharing forms, all or nothing: with these addresses, or without userEmails with everyone, the public link
 * included. Requires the role EDITOR. Throws NOT_FOUND, CONFLICT if a form is not shared.
 */
export function unshareFormTemplates(
  ctx: Context,
  input: z.input<typeof unsharing>,
): Promise<FormTemplate[]> {
  const { formTemplateIds, userEmails, ...path } = parse(unsharing, input);
  return inTransaction(ctx.db, async (tx) => {
    const forms = await requireForms(ctx, tx, formTemplateIds, path, 'changeForms');
    const unshared = forms.find(({ state }) => state === 'PRIVATE');
    if (unshared)
      throw conflict('The form is not shared.', positionIn('formTemplateIds', formTemplateIds)(unshared.id));
    const shares = forms.map((form) => ({
      form,
      isPublic: userEmails ? form.isPublic : false,
      emails: userEmails ? form.sharedWith.filter((each) => !userEmails.includes(each)) : [],
    }));
    return writeShares(ctx, tx, shares);
  });
}

interface Shares {
  form: FormTemplate;
  isPublic: boolean;
  emails: string[];
}

async function writeShares(ctx: Context, tx: Transaction, shares: Shares[], message?: string | null) {
  for (const each of shares) await writeFormShares(ctx, tx, each);
  const forms = shares.map(({ form }) => form);
  await recordEvents(
    ctx,
    tx,
    shares.map(({ form, isPublic, emails }) =>
      subjectEvent(
        form,
        isPublic || emails.length > 0 ? 'form.shared' : 'form.unshared',
        changes(
          { isPublic: form.isPublic, userEmails: form.sharedWith, message: '' },
          { isPublic, userEmails: emails, message: message ?? '' },
        ),
      ),
    ),
  );
  return rereadForms(ctx, tx, forms);
}

const NO_LINK = { linkHash: null, linkSealed: null };

/** A new public link. The hash finds the form; the encrypted secret allows showing the link again. */
function newLink({ storage }: Context, { id }: FormTemplate) {
  const secret = newSecret('dgl_');
  return { linkHash: hashSecret(secret), linkSealed: storage.vault.seal(secret, id) };
}

/** Writes the shares of a form. Publishing it creates a new link: a revoked one never works again. */
async function writeFormShares(
  ctx: Context,
  tx: Transaction,
  { form, isPublic, emails }: Shares,
): Promise<void> {
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
