import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { hashSecret, newSecret } from '../../lib/secret.ts';
import { findGroupsOf } from '../groups/group.ts';
import { changes, recordEvents, subjectEvent } from '../kernel/audit.ts';
import { idsOf, positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, conflict } from '../kernel/errors.ts';
import { email, parse, text } from '../kernel/input.ts';
import { projectPath } from '../kernel/project-path.ts';
import type { FormTemplate } from './form.ts';
import { requireForms, rereadForms, touchForm } from './form-change.ts';

const batchInput = {
  ...projectPath,
  formTemplateIds: z.array(z.string()),
  userEmails: z.array(email).max(100).nullish(),
  groupIds: z.array(z.string()).max(100).nullish(),
};

const sharing = z.strictObject({
  ...batchInput,
  isPublic: z.boolean().nullish(),
  message: text(2_000).nullish(),
});

/**
 * Shares forms, all or nothing, with addresses and groups in addition to those they have; members of the organization with these
 * addresses and those who are in the groups see them. isPublic: true shares with everyone who has the link, false revokes the
 * link. message: for the event. Requires the role EDITOR. Throws NOT_FOUND, BAD_USER_INPUT if nothing is to be changed.
 */
export function shareFormTemplates(ctx: Context, input: z.input<typeof sharing>): Promise<FormTemplate[]> {
  const { formTemplateIds, userEmails, groupIds, isPublic, message, ...path } = parse(sharing, input);
  const added = { emails: userEmails ?? [], groupIds: groupIds ?? [] };
  if (added.emails.length === 0 && added.groupIds.length === 0 && isPublic == null)
    throw badValue('userEmails', 'say with whom to share, or whether it is public');
  return inTransaction(ctx.db, async (tx) => {
    const forms = await requireForms(ctx, tx, formTemplateIds, path, 'changeForms');
    await requireGroups(ctx, tx, forms, added.groupIds);
    const groupsOf = await findSharedGroups(tx, forms);
    const shares = forms.map((form) => ({
      form,
      before: groupsOf(form),
      isPublic: isPublic ?? form.isPublic,
      emails: [...new Set([...form.sharedWith, ...added.emails])],
      groupIds: [...new Set([...groupsOf(form), ...added.groupIds])],
    }));
    return writeShares(ctx, tx, shares, message);
  });
}

/** Locks the groups against deletion. Throws NOT_FOUND for one of another organization than a form. */
async function requireGroups(
  ctx: Context,
  tx: Transaction,
  forms: readonly FormTemplate[],
  groupIds: readonly string[],
): Promise<void> {
  if (groupIds.length === 0) return;
  const pathOf = positionIn('groupIds', groupIds);
  for (const organizationId of new Set(forms.map((form) => form.organizationId))) {
    await tx.query(sql`SELECT id FROM groups
      WHERE organization_id = ${organizationId} AND id = ANY(${sql.texts(groupIds)}) ORDER BY id FOR KEY SHARE`);
    requireFound('Group', groupIds, await findGroupsOf(ctx, tx, organizationId, groupIds), pathOf);
  }
}

/** The ids of the groups with which each form is shared. */
async function findSharedGroups(tx: Transaction, forms: readonly FormTemplate[]) {
  const organizationIds = forms.map(({ organizationId }) => organizationId);
  const rows = await tx.query<{ formId: string; groupIds: string[] }>(sql`
    SELECT form_template_id AS form_id, array_agg(group_id ORDER BY group_id) AS group_ids FROM form_group_shares
    WHERE (organization_id, form_template_id) IN (
      SELECT * FROM unnest(${sql.texts(organizationIds)}, ${sql.texts(idsOf(forms))}))
    GROUP BY form_template_id`);
  const byForm = new Map(rows.map(({ formId, groupIds }) => [formId, groupIds]));
  return ({ id }: FormTemplate): string[] => byForm.get(id) ?? [];
}

const unsharing = z.strictObject(batchInput);

/**
 * Stops sharing forms, all or nothing: with these addresses and groups, or without any with everyone, the public link
 * included. Requires the role EDITOR. Throws NOT_FOUND, CONFLICT if a form is not shared.
 */
export function unshareFormTemplates(
  ctx: Context,
  input: z.input<typeof unsharing>,
): Promise<FormTemplate[]> {
  const { formTemplateIds, userEmails, groupIds, ...path } = parse(unsharing, input);
  const isWhole = !userEmails && !groupIds;
  const without = (list: readonly string[], removed: readonly string[] | null | undefined) =>
    isWhole ? [] : list.filter((each) => !removed?.includes(each));
  return inTransaction(ctx.db, async (tx) => {
    const forms = await requireForms(ctx, tx, formTemplateIds, path, 'changeForms');
    const unshared = forms.find(({ state }) => state === 'PRIVATE');
    if (unshared)
      throw conflict('The form is not shared.', positionIn('formTemplateIds', formTemplateIds)(unshared.id));
    await requireGroups(ctx, tx, forms, groupIds ?? []);
    const groupsOf = await findSharedGroups(tx, forms);
    const shares = forms.map((form) => ({
      form,
      before: groupsOf(form),
      isPublic: isWhole ? false : form.isPublic,
      emails: without(form.sharedWith, userEmails),
      groupIds: without(groupsOf(form), groupIds),
    }));
    return writeShares(ctx, tx, shares);
  });
}

interface Shares {
  form: FormTemplate;
  /** The ids of the groups with which it was shared. */
  before: string[];
  isPublic: boolean;
  emails: string[];
  groupIds: string[];
}

const isShared = ({ isPublic, emails, groupIds }: Shares): boolean =>
  isPublic || emails.length > 0 || groupIds.length > 0;

async function writeShares(ctx: Context, tx: Transaction, shares: Shares[], message?: string | null) {
  for (const each of shares) await writeFormShares(ctx, tx, each);
  await recordEvents(
    ctx,
    tx,
    shares.map((each) =>
      subjectEvent(
        each.form,
        isShared(each) ? 'form.shared' : 'form.unshared',
        changes(
          {
            isPublic: each.form.isPublic,
            userEmails: each.form.sharedWith,
            groupIds: each.before,
            message: '',
          },
          {
            isPublic: each.isPublic,
            userEmails: each.emails,
            groupIds: each.groupIds,
            message: message ?? '',
          },
        ),
      ),
    ),
  );
  return rereadForms(
    ctx,
    tx,
    shares.map(({ form }) => form),
  );
}

const NO_LINK = { linkHash: null, linkSealed: null };

/** A new public link. The hash finds the form; the encrypted secret allows showing the link again. */
function newLink({ storage }: Context, { id }: FormTemplate) {
  const secret = newSecret('dgl_');
  return { linkHash: hashSecret(secret), linkSealed: storage.vault.seal(secret, id) };
}

/** Writes the shares of a form. Publishing it creates a new link: a revoked one never works again. */
async function writeFormShares(ctx: Context, tx: Transaction, shares: Shares): Promise<void> {
  const { form, isPublic, emails, groupIds } = shares;
  const { organizationId, id: formTemplateId } = form;
  const created = { organizationId, formTemplateId, createdById: ctx.viewer.userId };
  await tx.prisma.formShare.deleteMany({
    where: { organizationId, formTemplateId, email: { notIn: emails } },
  });
  await tx.prisma.formShare.createMany({
    data: emails.map((each) => ({ ...created, email: each })),
    skipDuplicates: true,
  });
  await tx.prisma.formGroupShare.deleteMany({
    where: { organizationId, formTemplateId, groupId: { notIn: groupIds } },
  });
  await tx.prisma.formGroupShare.createMany({
    data: groupIds.map((groupId) => ({ ...created, groupId })),
    skipDuplicates: true,
  });
  await touchForm(ctx, tx, form, {
    state: isShared(shares) ? 'SHARED' : 'PRIVATE',
    isPublic,
    ...(isPublic !== form.isPublic && (isPublic ? newLink(ctx, form) : NO_LINK)),
  });
}
