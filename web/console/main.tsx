// The operators' console. The server serves it at /console.
import '@fontsource/be-vietnam-pro/400.css';
import '@fontsource/be-vietnam-pro/700.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import 'mantine-datatable/styles.css';
import './console.css';
import { createRoot } from 'react-dom/client';

import { App } from './App.tsx';
import { startLanguage } from './language.ts';
import { allowStyles } from './nonce.ts';

async function start(): Promise<void> {
  allowStyles();
  await startLanguage();
  createRoot(document.getElementById('console')!).render(<App />);
}

void start();
