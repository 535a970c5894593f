import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import { App } from './app.tsx';
import { startSession } from './docgraph.ts';
import { graph } from './graph.ts';
import { Welcome } from './welcome.tsx';
import './style.css';

const root = createRoot(document.getElementById('root') as HTMLElement);
try {
  const signedIn = await startSession();
  root.render(
    signedIn ? (
      <Provider value={graph}>
        <App />
      </Provider>
    ) : (
      <Welcome />
    ),
  );
} catch (error) {
  root.render(<Welcome problem={(error as Error).message} />);
}
