import { create } from 'zustand';

/** The overlays of the app. At most one is open. */
type Overlay = 'menu' | 'logout' | 'guest';

type OverlayState = {
  open: Overlay | null;
  /** The path on which it was opened. It is hidden on other paths. */
  on: string;
};

export const useOverlayStore = create<OverlayState>(() => ({ open: null, on: '' }));

function show(open: Overlay, on = location.pathname): void {
  useOverlayStore.setState({ open, on });
}

export function openMenu(): void {
  show('menu');
}

/** Asks for confirmation before logging out. */
export function askLogout(): void {
  show('logout');
}

/** Asks a guest to register. The question is shown on the given path, by default the current one. */
export function askRegister(on?: string): void {
  show('guest', on);
}

export function closeOverlay(): void {
  useOverlayStore.setState({ open: null });
}
