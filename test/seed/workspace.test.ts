import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { WORKSPACE } from '../../prisma/seed/workspace.ts';
import type { PersonKey } from '../../prisma/seed/workspace-people.ts';
import type {
  SeedDocument,
  SeedFolder,
  SeedOrganization,
  SeedProject,
} from '../../prisma/seed/workspace-shape.ts';
import { inspectBytes } from '../../src/files/content/sniff/inspect.ts';
import { sourceOf } from '../files/content/bytes.ts';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const TYPES: Record<string, string> = {
  '.csv': 'text/csv',
  '.docx': `${OFFICE}.wordprocessingml.document`,
  '.eml': 'message/rfc822',
  '.ics': 'text/calendar',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.txt': 'text/plain',
  '.xlsx': `${OFFICE}.spreadsheetml.sheet`,
};

const folderOfFiles = fileURLToPath(new URL('../../prisma/seed/files/', import.meta.url));
const files = readdirSync(folderOfFiles, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(folderOfFiles, join(entry.parentPath, entry.name)))
  .sort();
const bytesOf = (file: string) => readFileSync(folderOfFiles + file);
const hashOf = (file: string) => createHash('sha256').update(bytesOf(file)).digest('hex');

const { organizations, people } = WORKSPACE;
const projects = organizations.flatMap((organization) =>
  organization.projects.map((project) => ({ organization, project })),
);
const documents = projects.flatMap((each) =>
  each.project.documents.map((document) => ({ ...each, document })),
);
const filesOf = ({ file, revisions = [] }: SeedDocument) => [file, ...revisions.map((each) => each.file)];

/** Returns every folder by its path, with the people assigned to it or to a parent. */
function tree(folders: readonly SeedFolder[], above = '', inherited: readonly PersonKey[] = []) {
  const viewersByPath = new Map<string, readonly PersonKey[]>();
  for (const { name, assignees = [], folders: below = [] } of folders) {
    const path = above ? `${above}/${name}` : name;
    const seenBy = [...inherited, ...assignees];
    expect(name).not.toContain('/');
    expect([...viewersByPath.keys()], 'one folder of a name').not.toContain(path);
    viewersByPath.set(path, seenBy);
    for (const [inner, by] of tree(below, path, seenBy)) viewersByPath.set(inner, by);
  }
  return viewersByPath;
}

const actorsOf = ({ creator, revisions = [], comments = [], recycledBy }: SeedDocument): PersonKey[] => [
  creator,
  ...[...revisions, ...comments].map(({ by }) => by),
  ...(recycledBy ? [recycledBy] : []),
];

/** What domain/access.ts would say: who may change this document, so that seeding through the commands succeeds. */
function mayChange(
  person: PersonKey,
  { founder, members }: SeedOrganization,
  project: SeedProject,
  document: SeedDocument,
) {
  const role = person === founder ? 'OWNER' : members.find((each) => each.person === person)?.role;
  if (role === 'OWNER' || role === 'ADMIN') return true;
  const inProject = project.members.find((each) => each.person === person)?.role;
  if (role !== 'MEMBER' || inProject === 'VIEWER') return false;
  if (project.access === 'OPEN' || inProject === 'ADMIN') return true;
  const seesFolder = tree(project.folders).get(document.folder)?.includes(person) ?? false;
  const isAssigned = person !== document.creator && (document.assignees?.includes(person) ?? false);
  return inProject === 'EDITOR' && (seesFolder || isAssigned);
}

describe('the files of the demo workspace', () => {
  it('all exist, are all used, and are small in total', () => {
    expect([...new Set(documents.flatMap(({ document }) => filesOf(document)))].sort()).toEqual(files);
    expect(files.reduce((sum, file) => sum + bytesOf(file).length, 0)).toBeLessThan(3_000_000);
  });

  it('have the types of their names, and countable pages if they are PDFs', async () => {
    let mostPages = 0;
    for (const file of files) {
      const { contentType, pageCount } = await inspectBytes({ ...sourceOf(bytesOf(file)), filename: file });
      expect([file, contentType]).toEqual([file, TYPES[extname(file)]]);
      if (extname(file) === '.pdf') expect(pageCount, file).toBeGreaterThan(0);
      mostPages = Math.max(mostPages, pageCount ?? 0);
    }
    expect(mostPages).toBeGreaterThanOrEqual(10);
  });

  it('differ from each other', () => {
    expect(new Set(files.map(hashOf)).size).toBe(files.length);
  });
});

describe('the demo workspace', () => {
  it('has people with one address each, none of them real', () => {
    const emails = Object.values(people).map(({ email }) => email);
    expect(new Set(emails).size).toBe(emails.length);
    for (const email of emails) expect(email).toMatch(/^[a-z.]+@example\.test$/);
  });

  it('has each person in one organization, and only its members in its projects', () => {
    const all = organizations.flatMap(({ founder, members }) => [
      founder,
      ...members.map(({ person }) => person),
    ]);
    expect(all.toSorted()).toEqual(Object.keys(people).toSorted());
    for (const { organization, project } of projects)
      for (const { person } of project.members)
        expect(organization.members.map((each) => each.person)).toContain(person);
  });

  it('has dozens of documents, each in an existing folder and with the extension of its file', () => {
    expect(documents.length).toBeGreaterThanOrEqual(60);
    for (const { project, document } of documents) {
      expect(['', ...tree(project.folders).keys()]).toContain(document.folder);
      for (const file of filesOf(document))
        expect([document.name, extname(document.name)]).toEqual([document.name, extname(file)]);
    }
  });

  it('nests folders three deep in each project, and assigns only to its own people', () => {
    for (const { organization, project } of projects) {
      const folders = tree(project.folders);
      const own = [organization.founder, ...organization.members.map(({ person }) => person)];
      const assigned = [...folders.values(), ...project.documents.map(({ assignees = [] }) => assignees)];
      expect([...folders.keys()].some((path) => path.split('/').length >= 3)).toBe(true);
      for (const person of assigned.flat()) expect(own).toContain(person);
    }
  });

  it('has no action that access control would refuse', () => {
    const refused = documents.flatMap(({ organization, project, document }) =>
      actorsOf(document)
        .filter((person) => !mayChange(person, organization, project, document))
        .map((person) => `${person}: ${document.name}`),
    );
    expect(refused).toEqual([]);
  });

  it('has revisions, comments and recycled documents, and no filler texts', () => {
    const revised = documents.filter(({ document }) => (document.revisions ?? []).length > 0);
    expect(revised.length).toBeGreaterThanOrEqual(10);
    expect(documents.filter(({ document }) => document.recycledBy).length).toBeGreaterThanOrEqual(3);
    for (const { document } of documents) {
      expect(new Set(document.tags).size).toBe(document.tags?.length ?? 0);
      for (const { text } of document.comments ?? []) expect(text.trim()).not.toBe('');
    }
  });
});
