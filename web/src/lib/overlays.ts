import { create } from 'zustand';

/** Overlays over the screen; at most one is open. */
type Overlay = 'menu' | 'logout' | 'guest';

type OverlayState = {
  open: Overlay | null;
  /** The path it was opened on; it hides on other paths. */
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

/** Asks a guest to register, on this path or on the one given. */
export function askRegister(on?: string): void {
  show('guest', on);
}

export function closeOverlay(): void {
  useOverlayStore.setState({ open: null });
}
