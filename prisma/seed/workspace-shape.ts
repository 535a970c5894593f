import type { OrganizationRole, ProjectAccess, ProjectRole } from '../../src/generated/prisma/client.ts';
import type { PersonKey } from './workspace-people.ts';

/** The content of the demo workspace, created in this order: a project's members, its folders, its documents. */
export interface Workspace {
  people: Record<PersonKey, SeedPerson>;
  /** The organization of `owner`, and that of `stranger`. */
  organizations: readonly [SeedOrganization, SeedOrganization];
}

export interface SeedPerson {
  name: string;
  email: string;
}

export interface SeedOrganization {
  name: string;
  /** Creates the organization, which they own, its projects and their folders. */
  founder: PersonKey;
  /** All but the founder. */
  members: readonly { person: PersonKey; role: OrganizationRole }[];
  projects: readonly SeedProject[];
}

export interface SeedProject {
  name: string;
  access: ProjectAccess;
  members: readonly { person: PersonKey; role: ProjectRole }[];
  folders: readonly SeedFolder[];
  documents: readonly SeedDocument[];
}

export interface SeedFolder {
  /** Without a slash. */
  name: string;
  hexColor?: string;
  assignees?: readonly PersonKey[];
  folders?: readonly SeedFolder[];
}

export interface SeedDocument {
  name: string;
  /** File of the first revision, in prisma/seed/files. */
  file: string;
  /** Path of the folder: names joined by slashes; '' for the root of the project. */
  folder: string;
  creator: PersonKey;
  /** Set before the comments, like the assignees. */
  tags?: readonly string[];
  assignees?: readonly PersonKey[];
  /** Further revisions, oldest first. */
  revisions?: readonly { file: string; by: PersonKey }[];
  /** Comments on the last revision, in this order. */
  comments?: readonly { by: PersonKey; text: string }[];
  /** Who recycles the document, after all else. */
  recycledBy?: PersonKey;
}
