import { useEffect, useRef, type RefObject } from 'react';

import { useCloseOnBack } from './useCloseOnBack.ts';

/** Opens and closes a native modal dialog. Escape, the back button and a tap outside it call `onClose`. */
export function useModal(open: boolean, onClose: () => void) {
  const ref: RefObject<HTMLDialogElement | null> = useRef(null);
  useCloseOnBack(open, onClose);
  useEffect(() => {
    const dialog = ref.current;
    if (!open || !dialog) return;
    dialog.showModal();
    // Not its first button, which would show a focus ring without any input.
    dialog.focus();
    return () => dialog.close();
  }, [open]);
  return {
    ref,
    tabIndex: -1,
    onCancel: (event: { preventDefault: () => void }) => {
      event.preventDefault();
      onClose();
    },
    // The backdrop's taps go to the dialog itself, which its content covers.
    onClick: (event: { target: unknown; currentTarget: unknown }) => {
      if (event.target === event.currentTarget) onClose();
    },
  };
}
