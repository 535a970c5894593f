import { useQuery, useSubscription } from 'urql';
import { ended, signOut } from './docgraph.ts';
import { DocumentPanel } from './document-panel.tsx';
import { connected } from './graph.ts';
import { Home } from './home.tsx';
import { Link } from './link.tsx';
import { messages } from './messages.ts';
import { EVENTS, HOME } from './operations.ts';
import { Project } from './project.tsx';
import { useRoute } from './route.ts';
import { Search } from './search.tsx';
import { UploadTray } from './upload-tray.tsx';
import { Welcome } from './welcome.tsx';

export function App() {
  const route = useRoute();
  const [{ data, error }] = useQuery({ query: HOME });
  const organizations = data?.viewer.organizations.nodes ?? [];
  const organization = organizations.find(({ id }) => id === route.organization) ?? organizations[0];
  if (ended.use()) return <Welcome problem="Your sign-in has ended. Sign in to continue." />;
  const problem = error ? `${error.message} Reload the page to try again.` : 'Loading …';
  if (!organization) return <p className="empty">{data ? 'You are in no organization yet.' : problem}</p>;
  return (
    <>
      <header className="bar">
        <Link to={{}} className="brand" aria-label="Pocket Archive, home">
          <span className="mark" aria-hidden="true" />
          <span className="wide-only">Pocket Archive</span>
        </Link>
        <Search organization={organization.id} />
        <Live organization={organization.id} />
        <button type="button" className="quiet" onClick={signOut} title={data?.viewer.email}>
          Sign out
        </button>
      </header>
      <div className="columns">
        <nav className="side" aria-label="Projects">
          {organizations.map(({ id, name, projects }) => (
            <section key={id}>
              <h2>{name}</h2>
              {projects.nodes.map((project) => (
                <Link
                  key={project.id}
                  to={{ organization: id, project: project.id }}
                  aria-current={project.id === route.project ? 'page' : undefined}
                >
                  {project.name}
                </Link>
              ))}
            </section>
          ))}
        </nav>
        <main>
          {route.project ? <Project key={route.project} route={route} project={route.project} /> : <Home />}
        </main>
        {route.document && <DocumentPanel key={route.document} id={route.document} route={route} />}
      </div>
      <UploadTray />
      <Messages />
    </>
  );
}

/** Follows what happens in the organization. The cache takes changes over by itself (graph.ts). */
function Live({ organization }: { organization: string }) {
  useSubscription({ query: EVENTS, variables: { organization } });
  const live = connected.use();
  return (
    <span
      className={live ? 'live on' : 'live'}
      role="status"
      title={live ? 'Changes appear at once' : 'Connecting'}
    >
      <span className="wide-only">{live ? 'Live' : 'Offline'}</span>
    </span>
  );
}

function Messages() {
  return (
    <div className="messages" role="alert">
      {messages.use().map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
