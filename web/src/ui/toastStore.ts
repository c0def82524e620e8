// The one toast on the screen. A plain store, so that code outside React can tell the member something too.
import type { MessageDescriptor } from '@lingui/core';
import { create } from 'zustand';

export type ToastText = string | MessageDescriptor;

type ToastKind = 'plain' | 'success' | 'error' | 'loading';

export type ToastItem = {
  id: number;
  kind: ToastKind;
  text: ToastText | undefined;
  action: ToastAction | undefined;
  /** Whether it keeps the screen below from being touched. */
  blocking: boolean;
  /** Whether it waits for the member, who can send it away. */
  stays: boolean;
};

type ToastAction = { label: ToastText; onPress: () => void };

export type ToastOptions = {
  /** 8 seconds instead of 3. */
  long?: boolean;
  /** A time of its own. */
  seconds?: number;
  /** Until it is used or sent away. */
  stays?: boolean;
  action?: ToastAction;
};

export type LoadingOptions = {
  text?: ToastText;
  /** Goes by itself after this; without it, or with 9999, only when hidden. */
  seconds?: number;
  blocking?: boolean;
};

const toastSeconds = { short: 3, long: 8, success: 1, refusal: 2 } as const;
/** The specification's way to write 'until dismissed'. */
const forever = 9999;

export const useToastStore = create<{ current: ToastItem | null }>(() => ({ current: null }));

let lastId = 0;
/** The toasts that do not go by themselves, the newest last, also while others cover them. */
let staying: ToastItem[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

// A new toast takes the place of the one before: two messages at once are read by nobody.
function show(item: Omit<ToastItem, 'id'>, seconds: number): number {
  clearTimeout(timer);
  lastId += 1;
  const id = lastId;
  const current = { ...item, id };
  useToastStore.setState({ current });
  if (seconds < forever) timer = setTimeout(hide, seconds * 1000, id);
  else staying = [...staying, current];
  return id;
}

function message(kind: ToastKind, text: ToastText, options: ToastOptions, seconds: number): number {
  const { action, stays = false } = options;
  return show(
    { kind, text, action, blocking: false, stays },
    stays ? forever : (options.seconds ?? seconds),
  );
}

function lasting(options: ToastOptions): number {
  return options.long ? toastSeconds.long : toastSeconds.short;
}

/** Takes away the toast with this id, also while another one covers it; without an id all there are. */
function hide(id?: number): void {
  staying = id === undefined ? [] : staying.filter((item) => item.id !== id);
  if (id !== undefined && useToastStore.getState().current?.id !== id) return;
  clearTimeout(timer);
  useToastStore.setState({ current: staying.at(-1) ?? null });
}

export const toast = {
  /** 3 seconds, or 8. */
  show: (text: ToastText, options: ToastOptions = {}) =>
    message('plain', text, options, lasting(options)),
  /** 3 seconds, or 8; read out at once. */
  error: (text: ToastText, options: ToastOptions = {}) =>
    message('error', text, options, lasting(options)),
  /** 1 second. */
  success: (text: ToastText, options: ToastOptions = {}) =>
    message('success', text, options, toastSeconds.success),
  /** 2 seconds: what a guest may not do. */
  refuse: (text: ToastText, options: ToastOptions = {}) =>
    message('plain', text, options, toastSeconds.refusal),
  /** Until hidden by the id it returns, or for the seconds given. Toasts that pass only cover it. */
  loading: ({ text, seconds = forever, blocking = false }: LoadingOptions = {}) =>
    show({ kind: 'loading', text, action: undefined, blocking, stays: false }, seconds),
  hide,
};

/** The same toast, for components. */
export function useToast(): typeof toast {
  return toast;
}
