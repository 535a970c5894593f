import { z } from 'zod';
import { inTransaction } from '../../db/transaction.ts';
import { changes, recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { hexColor, label, parse } from '../kernel/input.ts';
import { changedBy, lockRow, requireVersion } from '../kernel/version.ts';
import { findProjects, type Project, requireProject } from './project.ts';
import {
  FACE_COLORS,
  FACE_MEMBERS,
  type FaceColor,
  findProjectSettings,
  type ProjectSettings,
} from './project-settings.ts';

const MAX_URL = 2_000;

/** A URL that clients load; the server never does. */
const httpsUrl = z
  .string()
  .max(MAX_URL, `must not be longer than ${MAX_URL} characters`)
  .refine(isHttpsUrl, 'must be an https URL without credentials');

function isHttpsUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && !/[\s"'<>\\]/.test(text);
}

/** Names of font families as in CSS, without what could end a declaration. */
const fontFamily = label(200).regex(/^[\p{L}\p{M}\p{N} ,'"_-]+$/u, 'must be names of font families');

const faceColors = Object.fromEntries(FACE_COLORS.map((name) => [name, hexColor.nullish()])) as Record<
  FaceColor,
  z.ZodOptional<z.ZodNullable<typeof hexColor>>
>;

const face = z.strictObject({
  ...faceColors,
  folderIconUrl: httpsUrl.nullish(),
  fontFamily: fontFamily.nullish(),
  fontUrl: httpsUrl.nullish(),
});

const update = z.strictObject({
  projectId: z.string(),
  organizationId: z.string().nullish(),
  expectedVersion: z.int().nullish(),
  documentRootLabel: label(255).nullish(),
  publicFace: face.nullish(),
});

/**
 * Changes the settings of a project: a member that is left out stays, null removes it. Requires the role ADMIN.
 * Throws NOT_FOUND, FORBIDDEN, CONFLICT for another version of the project or a disabled one.
 */
export function updateProjectSettings(ctx: Context, input: z.input<typeof update>): Promise<Project> {
  const { projectId, organizationId, expectedVersion, documentRootLabel, publicFace } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, 'projects', projectId);
    const project = await requireProject(ctx, tx, projectId, 'changeProject', organizationId);
    requireVersion(project, expectedVersion);
    const [{ id: _, ...before }] = (await findProjectSettings(ctx, [projectId], tx)) as [ProjectSettings];
    const after = {
      ...before,
      ...present({ documentRootLabel, ...(publicFace === null ? NO_FACE : publicFace) }),
    };
    const key = { organizationId: project.organizationId, projectId };
    await tx.prisma.projectSettings.upsert({
      where: { organizationId_projectId: key },
      create: { ...key, ...after },
      update: after,
    });
    await tx.prisma.project.update({ where: { id: projectId }, data: changedBy(ctx) });
    const event = { ...key, subjectId: projectId, kind: 'project.settingsUpdated' };
    await recordEvents(ctx, tx, [{ ...event, data: changes(before, after) }]);
    return (await findProjects(ctx, [projectId], tx))[0] as Project;
  });
}

const NO_FACE = Object.fromEntries(FACE_MEMBERS.map((name) => [name, null])) as z.output<typeof face>;

/** The members that are not undefined. */
const present = <Members extends object>(members: Members): Partial<Members> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<Members>;
