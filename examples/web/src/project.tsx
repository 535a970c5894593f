import { useMutation, useQuery } from 'urql';
import { DocumentPages } from './document-pages.tsx';
import { DropZone } from './drop-zone.tsx';
import { Link } from './link.tsx';
import { CREATE_FOLDER, FOLDER, PROJECT, ROOT_FOLDERS } from './operations.ts';
import type { Route } from './route.ts';
import { TaskPages } from './task-pages.tsx';

/** A project: its folders and documents, or its tasks. */
export function Project({ route, project: id }: { route: Route; project: string }) {
  const [{ data }] = useQuery({ query: PROJECT, variables: { id } });
  const { organization, tab } = route;
  if (data && !data.project)
    return <p className="empty">This project does not exist, or you may not see it.</p>;
  return (
    <div className="page">
      <h1>{data?.project?.name ?? ' '}</h1>
      <nav className="tabs" aria-label="Parts of the project">
        <Link to={{ organization, project: id }} aria-current={tab ? undefined : 'page'}>
          Documents
        </Link>
        <Link to={{ organization, project: id, tab: 'tasks' }} aria-current={tab ? 'page' : undefined}>
          Tasks
        </Link>
      </nav>
      {tab === 'tasks' ? (
        <TaskPages key="tasks" project={id} />
      ) : (
        <Documents
          key={route.folder}
          route={route}
          project={id}
          canWrite={data?.project?.viewerRole !== 'VIEWER'}
        />
      )}
    </div>
  );
}

function Documents({ route, project, canWrite }: { route: Route; project: string; canWrite: boolean }) {
  const { organization, folder } = route;
  const [root] = useQuery({ query: ROOT_FOLDERS, variables: { project }, pause: !!folder });
  const [inside] = useQuery({ query: FOLDER, variables: { id: folder ?? '' }, pause: !folder });
  const current = folder ? inside.data?.folder : undefined;
  const folders = (folder ? current?.folders : root.data?.project?.folders)?.nodes ?? [];
  const parents = [current?.parent?.parent, current?.parent].filter((each) => !!each);
  return (
    <DropZone project={project} folder={folder} disabled={!canWrite}>
      {folder && (
        <nav className="path" aria-label="Folders above">
          <Link to={{ organization, project }}>All documents</Link>
          {parents.map(({ id, name }) => (
            <Link key={id} to={{ organization, project, folder: id }}>
              {name}
            </Link>
          ))}
          <span aria-current="page">{current?.name}</span>
        </nav>
      )}
      <div className="folders">
        {folders.map(({ id, name }) => (
          <Link key={id} className="folder" to={{ organization, project, folder: id }}>
            {name}
          </Link>
        ))}
        {canWrite && <NewFolder project={project} parentId={folder} />}
      </div>
      <DocumentPages
        key={folder}
        project={project}
        filter={folder ? { folderId: folder } : { atRoot: true }}
        route={route}
      />
    </DropZone>
  );
}

function NewFolder({ project, parentId }: { project: string; parentId?: string }) {
  const [, create] = useMutation(CREATE_FOLDER);
  const ask = () => {
    const name = prompt('Name of the new folder')?.trim();
    if (name) void create({ input: { projectId: project, folders: [{ name, parentId }] } });
  };
  return (
    <button type="button" className="quiet" onClick={ask}>
      + Folder
    </button>
  );
}
