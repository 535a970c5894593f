import type { Database } from '../../src/db/database.ts';
import { createFolders } from '../../src/domain/folders/folder-create.ts';
import type { Context } from '../../src/domain/kernel/context.ts';
import { addProjectMembers } from '../../src/domain/membership/project-member-change.ts';
import { createOrganization } from '../../src/domain/organizations/organization.ts';
import { createProjects } from '../../src/domain/projects/project.ts';
import { newId } from '../../src/lib/id.ts';
import { makeDocuments } from './make-document.ts';
import { actAs, type People, type SeedSite } from './site.ts';
import type { PersonKey } from './workspace-people.ts';
import type { SeedFolder, SeedOrganization, SeedPerson, SeedProject } from './workspace-shape.ts';

export async function makePeople(db: Database, people: Record<PersonKey, SeedPerson>): Promise<People> {
  const made = Object.entries(people).map(
    ([key, person]) => [key, { ...person, id: newId('User') }] as const,
  );
  await db.prisma.user.createMany({ data: made.map(([, person]) => person) });
  return Object.fromEntries(made) as People;
}

/** Gives what demo.json names, and the documents of the first project by their names. */
export async function makeOrganization(
  site: SeedSite,
  { name, founder, members, projects }: SeedOrganization,
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
  const made = await makeProject(site, organizationId, founder, first);
  for (const project of others) await makeProject(site, organizationId, founder, project);
  return { organizationId, ...made };
}

async function makeProject(site: SeedSite, organizationId: string, founder: PersonKey, project: SeedProject) {
  const { name, access, members, folders, documents } = project;
  site.say(`  ${name}: ${documents.length} documents`);
  const ctx = await actAs(site, founder);
  const [made] = await createProjects(ctx, { organizationId, projects: [{ name, access }] });
  const projectId = made?.id as string;
  if (members.length > 0)
    await addProjectMembers(ctx, {
      projectId,
      members: members.map(({ person, role }) => ({ email: site.people[person].email, role })),
    });
  const paths = new Map<string, string>();
  await makeFolders(site, ctx, { projectId, paths, path: '' }, folders);
  return { projectId, documents: await makeDocuments(site, projectId, paths, documents) };
}

interface FolderLevel {
  projectId: string;
  /** The ids of the folders by their paths. */
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
  const made = await createFolders(ctx, {
    projectId,
    folders: folders.map(({ name, hexColor, assignees }) => ({
      name,
      hexColor,
      parentId: paths.get(path),
      assigneeEmails: assignees?.map((person) => site.people[person].email),
    })),
  });
  for (const [index, { name, folders: below }] of folders.entries()) {
    const own = path ? `${path}/${name}` : name;
    paths.set(own, made[index]?.id as string);
    await makeFolders(site, ctx, { ...level, path: own }, below ?? []);
  }
}
