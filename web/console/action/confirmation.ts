// Asks the operator for a code before a dangerous call. The dialog is in Confirmation.tsx.
import { useSyncExternalStore } from 'react';

type Answer = (isConfirmed: boolean) => void;

let waiting: Answer | null = null;
const listeners = new Set<() => void>();

function set(answer: Answer | null): void {
  waiting = answer;
  for (const listener of listeners) listener();
}

/** Opens the dialog. Resolves to false if the operator cancels. */
export function askForCode(): Promise<boolean> {
  waiting?.(false);
  return new Promise((resolve) => {
    set((isConfirmed) => {
      set(null);
      resolve(isConfirmed);
    });
  });
}

/** The function that answers the open question, or null. */
export const useQuestion = (): Answer | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting,
  );
