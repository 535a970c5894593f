import { Frame } from './layout.tsx';
import { page } from './page.ts';

export interface Problem {
  /** Of HTTP, 400 or more. */
  status: number;
  text?: string;
  /** For a report to who runs the server. */
  requestId: string;
}

const TITLES: Record<number, string> = {
  401: 'Sign in first',
  403: 'Not permitted',
  404: 'There is no such page',
  405: 'Method not allowed',
  410: 'The link has expired',
  413: 'Too large',
  429: 'Too many requests',
  503: 'Not now',
};

const TEXTS: Record<number, string> = {
  404: 'The address is wrong, or what was there is gone.',
  500: 'Something went wrong on our side. Try again in a moment.',
};

/** The page of an error, with ways back. */
const ProblemPage = ({ status, text, requestId }: Problem) => {
  const title = TITLES[status] ?? (status < 500 ? 'The request failed' : 'Something went wrong');
  return (
    <Frame title={title}>
      <div class="card">
        <h1>{title}</h1>
        <p>{text ?? TEXTS[status] ?? TEXTS[status < 500 ? 404 : 500]}</p>
        <p>
          <a href="/">Start page</a> · <a href="/docs">Documentation</a> · <a href="/sign-in">Sign in</a>
        </p>
        <p class="request">
          Request id: <code>{requestId}</code>
        </p>
      </div>
    </Frame>
  );
};

export const problemPage = (problem: Problem, headers: Record<string, string> = {}): Response =>
  page(ProblemPage(problem), { status: problem.status, headers });
