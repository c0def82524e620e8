// The current toast. A store outside React, so that any code can show one.
import type { MessageDescriptor } from '@lingui/core';
import { create } from 'zustand';

export type ToastText = string | MessageDescriptor;

type ToastKind = 'plain' | 'success' | 'error' | 'loading';

export type ToastItem = {
  id: number;
  kind: ToastKind;
  text: ToastText | undefined;
  action: ToastAction | undefined;
  /** Blocks the screen below. */
  blocking: boolean;
  /** Stays until the member closes it. */
  persistent: boolean;
};

type ToastAction = { label: ToastText; onPress: () => void };

export type ToastOptions = {
  long?: boolean;
  seconds?: number;
  /** Stays until the member closes it. */
  persistent?: boolean;
  action?: ToastAction;
};

export type LoadingOptions = {
  text?: ToastText;
  /** Hides it after this time. Without it, or with 9999, it stays until hidden. */
  seconds?: number;
  blocking?: boolean;
};

const toastSeconds = { short: 3, long: 8, success: 1, refusal: 2 } as const;
/** The specification's value for "until dismissed". */
const untilHidden = 9999;

export const useToastStore = create<{ current: ToastItem | null }>(() => ({ current: null }));

let lastId = 0;
/** Toasts without a timeout, newest last. Others may cover them. */
let persistentToasts: ToastItem[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

// Replaces the current toast.
function show(item: Omit<ToastItem, 'id'>, seconds: number): number {
  clearTimeout(timer);
  lastId += 1;
  const id = lastId;
  const current = { ...item, id };
  useToastStore.setState({ current });
  if (seconds < untilHidden) timer = setTimeout(hide, seconds * 1000, id);
  else persistentToasts = [...persistentToasts, current];
  return id;
}

function message(kind: ToastKind, text: ToastText, options: ToastOptions, seconds: number): number {
  const { action, persistent = false } = options;
  return show(
    { kind, text, action, blocking: false, persistent },
    persistent ? untilHidden : (options.seconds ?? seconds),
  );
}

function durationOf(options: ToastOptions): number {
  return options.long ? toastSeconds.long : toastSeconds.short;
}

function hide(id?: number): void {
  persistentToasts = id === undefined ? [] : persistentToasts.filter((item) => item.id !== id);
  if (id !== undefined && useToastStore.getState().current?.id !== id) return;
  clearTimeout(timer);
  useToastStore.setState({ current: persistentToasts.at(-1) ?? null });
}

export const toast = {
  show: (text: ToastText, options: ToastOptions = {}) =>
    message('plain', text, options, durationOf(options)),
  /** 3 seconds, or 8 if long; announced at once. */
  error: (text: ToastText, options: ToastOptions = {}) =>
    message('error', text, options, durationOf(options)),
  success: (text: ToastText, options: ToastOptions = {}) =>
    message('success', text, options, toastSeconds.success),
  /** 2 seconds; for actions that guests may not use. */
  refuse: (text: ToastText, options: ToastOptions = {}) =>
    message('plain', text, options, toastSeconds.refusal),
  /** Stays until hidden by its id, or for the given seconds. Later toasts only cover it. */
  loading: ({ text, seconds = untilHidden, blocking = false }: LoadingOptions = {}) =>
    show({ kind: 'loading', text, action: undefined, blocking, persistent: false }, seconds),
  hide,
};

export function useToast(): typeof toast {
  return toast;
}
