import type { Database } from '../../src/db/database.ts';
import { createFolders } from '../../src/domain/folders/folder-create.ts';
import type { Context } from '../../src/domain/kernel/context.ts';
import { addProjectMembers } from '../../src/domain/membership/project-member-add.ts';
import { createOrganization } from '../../src/domain/organizations/organization.ts';
import { createProjects } from '../../src/domain/projects/project.ts';
import { newId } from '../../src/lib/id.ts';
import { makeDocuments } from './make-document.ts';
import { actAs, type People, type SeedSite } from './site.ts';
import type { PersonKey } from './workspace-people.ts';
import type { SeedFolder, SeedOrganization, SeedPerson, SeedProject } from './workspace-shape.ts';

/** Creates the users of the workspace. */
export async function makePeople(db: Database, people: Record<PersonKey, SeedPerson>): Promise<People> {
  const created = Object.entries(people).map(
    ([key, person]) => [key, { ...person, id: newId('User') }] as const,
  );
  const emailVerifiedAt = new Date();
  await db.prisma.user.createMany({ data: created.map(([, person]) => ({ ...person, emailVerifiedAt })) });
  return Object.fromEntries(created) as People;
}

/** What is made in a project before its documents, which are newer then. */
type Beginning = (projectId: string) => Promise<unknown>;

/**
 * Creates an organization with its projects, the first one with this beginning. Returns the ids of it and of its first
 * project, and that project's documents by name.
 */
export async function makeOrganization(
  site: SeedSite,
  { name, founder, members, projects }: SeedOrganization,
  begin?: Beginning,
) {
  const { id: organizationId } = await createOrganization(await actAs(site, founder), { name });
  await site.db.prisma.membership.createMany({
    data: members.map(({ person, role }) => ({
      organizationId,
      id: newId('Membership'),
      userId: site.people[person].id,
      role,
      createdById: site.people[founder].id,
    })),
  });
  const [first, ...others] = projects as [SeedProject, ...SeedProject[]];
  const created = await makeProject(site, { organizationId, founder, begin }, first);
  for (const project of others) await makeProject(site, { organizationId, founder }, project);
  return { organizationId, ...created };
}

async function makeProject(
  site: SeedSite,
  { organizationId, founder, begin }: { organizationId: string; founder: PersonKey; begin?: Beginning },
  project: SeedProject,
) {
  const { name, access, members, folders, documents } = project;
  const ctx = await actAs(site, founder);
  const [created] = await createProjects(ctx, { organizationId, projects: [{ name, access }] });
  const projectId = created?.id as string;
  if (members.length > 0)
    await addProjectMembers(ctx, {
      projectId,
      members: members.map(({ person, role }) => ({ person: { email: site.people[person].email }, role })),
    });
  const paths = new Map<string, string>();
  await makeFolders(site, ctx, { projectId, paths, path: '' }, folders);
  await begin?.(projectId);
  return { projectId, documents: await makeDocuments(site, projectId, paths, documents) };
}

interface FolderLevel {
  projectId: string;
  /** Folder ids by path. */
  paths: Map<string, string>;
  path: string;
}

async function makeFolders(
  site: SeedSite,
  ctx: Context,
  level: FolderLevel,
  folders: readonly SeedFolder[],
): Promise<void> {
  if (folders.length === 0) return;
  const { projectId, paths, path } = level;
  const created = await createFolders(ctx, {
    projectId,
    folders: folders.map(({ name, hexColor, assignees }) => ({
      name,
      hexColor,
      parentId: paths.get(path),
      assigneeEmails: assignees?.map((person) => site.people[person].email),
    })),
  });
  for (const [index, { name, folders: below }] of folders.entries()) {
    const folderPath = path ? `${path}/${name}` : name;
    paths.set(folderPath, created[index]?.id as string);
    await makeFolders(site, ctx, { ...level, path: folderPath }, below ?? []);
  }
}
