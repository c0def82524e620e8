import { create } from 'zustand';

/** The browser's install prompt, kept until the member requests it. */
export type InstallPrompt = Event & {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
};

export const useInstallPrompt = create<{ prompt: InstallPrompt | null }>(() => ({ prompt: null }));

const keep = (prompt: InstallPrompt | null) => useInstallPrompt.setState({ prompt });

/** Listens for the prompt. The browser sends it once, soon after the page loads. */
export function followInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    keep(event as InstallPrompt);
  });
  addEventListener('appinstalled', () => keep(null));
}

/** Shows the prompt. Each prompt works once. */
export async function askToInstall(): Promise<boolean> {
  const { prompt } = useInstallPrompt.getState();
  if (!prompt) return false;
  keep(null);
  return (await prompt.prompt()).outcome === 'accepted';
}
