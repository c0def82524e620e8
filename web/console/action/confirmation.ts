// Asks the operator for an authenticator code before a dangerous request. The dialog is in Confirmation.tsx.
import { useSyncExternalStore } from 'react';

type AnswerHandler = (isConfirmed: boolean) => void;

let pendingAnswer: AnswerHandler | null = null;
const listeners = new Set<() => void>();

function setPendingAnswer(answer: AnswerHandler | null): void {
  pendingAnswer = answer;
  for (const listener of listeners) listener();
}

/** Opens the dialog. Resolves to false if the operator cancels. */
export function askForCode(): Promise<boolean> {
  pendingAnswer?.(false);
  return new Promise((resolve) => {
    setPendingAnswer((isConfirmed) => {
      setPendingAnswer(null);
      resolve(isConfirmed);
    });
  });
}

/** Closes the dialog without a confirmation, so that an operator cannot confirm the change of another one. */
export const cancelQuestion = (): void => pendingAnswer?.(false);

/** Returns the function that closes the open dialog with an answer, or null if no dialog is open. */
export const useQuestion = (): AnswerHandler | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => pendingAnswer,
  );
