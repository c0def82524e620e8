import { create } from 'zustand';

/** The browser's own question whether to install, kept until the member wants to be asked. */
export type InstallPrompt = Event & {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
};

export const useInstallPrompt = create<{ prompt: InstallPrompt | null }>(() => ({ prompt: null }));

const keep = (prompt: InstallPrompt | null) => useInstallPrompt.setState({ prompt });

/** The browser tells early, and once. */
export function followInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    keep(event as InstallPrompt);
  });
  addEventListener('appinstalled', () => keep(null));
}

/** Asks. A question serves once; the browser may offer another. */
export async function askToInstall(): Promise<boolean> {
  const { prompt } = useInstallPrompt.getState();
  if (!prompt) return false;
  keep(null);
  return (await prompt.prompt()).outcome === 'accepted';
}
