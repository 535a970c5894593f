import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { newId } from '../../lib/id.ts';
import { name, normalizedKey } from '../kernel/input.ts';

/** The tags of one document or task, as texts. */
export const tagTexts = z.array(name).max(100);

type ProjectKeys = { organizationId: string; projectId: string };

/** The texts without those that differ from an earlier one by case only, by key. */
export const tagsByKey = (texts: readonly string[]): Map<string, string> =>
  new Map(texts.map((each) => [normalizedKey(each), each]));

/**
 * Returns the ids of tags by the key of their text. Texts without a tag get one: a project has one tag per text,
 * regardless of case.
 */
export async function findOrCreateTags(
  tx: Transaction,
  { organizationId, projectId }: ProjectKeys,
  texts: readonly string[],
): Promise<Map<string, string>> {
  const byKey = tagsByKey(texts);
  if (byKey.size === 0) return new Map();
  await tx.prisma.tag.createMany({
    data: [...byKey].map(([textKey, text]) => ({
      organizationId,
      id: newId('Tag'),
      projectId,
      text,
      textKey,
    })),
    skipDuplicates: true,
  });
  const tags = await tx.prisma.tag.findMany({
    where: { organizationId, projectId, textKey: { in: [...byKey.keys()] } },
  });
  return new Map(tags.map(({ id, textKey }) => [textKey, id]));
}
