// Reloads lists and objects when the server reports a change.
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** A change by an operator or the server. `things` is the kind of object as in the URL, such as `members`. */
export type LiveChange = { things: string; id?: string };

const reopenMs = 5000;

/**
 * Keeps the event stream open while the component is mounted and enabled. After a gap it reloads everything, because changes may have been
 * missed. The browser reconnects by itself only if the server can be reached: after an error response, this opens a new stream.
 */
export function useLive(isEnabled = true): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isEnabled || typeof EventSource === 'undefined') return;
    let stream: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wasOpen = false;
    function open(): void {
      stream = new EventSource('/ops/v1/events');
      stream.addEventListener('open', () => {
        if (wasOpen)
          for (const kind of ['list', 'object'])
            void queryClient.invalidateQueries({ queryKey: [kind] });
        wasOpen = true;
      });
      stream.addEventListener('error', () => {
        if (stream.readyState === EventSource.CLOSED) timer = setTimeout(open, reopenMs);
      });
      stream.addEventListener('change', (event: MessageEvent<string>) => {
        const change = parseChange(event.data);
        if (change) applyChange(queryClient, change);
      });
      stream.addEventListener('typing', (event: MessageEvent<string>) => {
        const chat = parseTypingChat(event.data);
        if (chat) queryClient.setQueryData(['typing', chat], Date.now());
      });
    }
    open();
    return () => {
      clearTimeout(timer);
      stream.close();
    };
  }, [queryClient, isEnabled]);
}

/** Reloads all queries that a change affects. */
export function applyChange(queryClient: QueryClient, { things }: LiveChange): void {
  const path = `/ops/v1/${things}`;
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [kind, key] }) =>
      (kind === 'list' || kind === 'object') &&
      typeof key === 'string' &&
      (key === path || key.startsWith(`${path}/`) || key.startsWith(`${path}?`)),
  });
}

/** Returns the id of the chat whose customer is typing. */
function parseTypingChat(text: string): string | null {
  try {
    const { chat } = JSON.parse(text) as { chat?: unknown };
    return typeof chat === 'string' ? chat : null;
  } catch {
    return null;
  }
}

function parseChange(text: string): LiveChange | null {
  try {
    const change = JSON.parse(text) as LiveChange | null;
    return typeof change?.things === 'string' ? change : null;
  } catch {
    return null;
  }
}
