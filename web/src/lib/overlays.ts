import { create } from 'zustand';

/** What may lie over the screen, one at a time. */
type Overlay = 'menu' | 'logout' | 'guest';

type OverlayState = {
  open: Overlay | null;
  /** The path it was opened on: elsewhere it is not seen. */
  on: string;
};

export const useOverlayStore = create<OverlayState>(() => ({ open: null, on: '' }));

function show(open: Overlay, on = location.pathname): void {
  useOverlayStore.setState({ open, on });
}

export function openMenu(): void {
  show('menu');
}

/** Asks whether the member really wants to log out. */
export function askLogout(): void {
  show('logout');
}

/** Tells a guest that a place is for members: here, or on the path where the guest is sent instead. */
export function askRegister(on?: string): void {
  show('guest', on);
}

export function closeOverlay(): void {
  useOverlayStore.setState({ open: null });
}
