import { SERVER, signIn } from './docgraph.ts';

export function Welcome({ problem }: { problem?: string }) {
  return (
    <main className="welcome">
      <div className="mark" aria-hidden="true" />
      <h1>Pocket Archive</h1>
      <p>Documents, tasks and approvals of your projects, wherever you are.</p>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="button" className="primary large" onClick={signIn}>
        Sign in with Docgraph
      </button>
      <p className="muted small">
        You will sign in at {new URL(SERVER).host}. This page never sees your password.
      </p>
    </main>
  );
}
