// Reloads lists and objects when the server reports a change.
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** A change by an operator or the server. `things` is the kind of object as in the URL, such as `members`. */
export type LiveChange = { things: string; id?: string };

/** Keeps the event stream open while the component is mounted. The browser reconnects after an error. */
export function useLive(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (typeof EventSource === 'undefined') return;
    const stream = new EventSource('/ops/v1/events');
    stream.addEventListener('change', (event: MessageEvent<string>) => {
      const change = parseChange(event.data);
      if (change) applyChange(queryClient, change);
    });
    stream.addEventListener('typing', (event: MessageEvent<string>) => {
      const chat = parseTypingChat(event.data);
      if (chat) queryClient.setQueryData(['typing', chat], Date.now());
    });
    return () => stream.close();
  }, [queryClient]);
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
