// Reads lists and objects again when the server says that they changed.
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** What an operator or the server has changed: `things` is the name in the address, such as `members`. */
export type LiveChange = { things: string; id?: string };

/** Opens the event stream while the component is shown. The browser opens it again after an error. */
export function useLive(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (typeof EventSource === 'undefined') return;
    const stream = new EventSource('/ops/v1/events');
    stream.addEventListener('change', (event: MessageEvent<string>) => {
      const change = parse(event.data);
      if (change) applyChange(queryClient, change);
    });
    stream.addEventListener('typing', (event: MessageEvent<string>) => {
      const chat = chatOf(event.data);
      if (chat) queryClient.setQueryData(['typing', chat], Date.now());
    });
    return () => stream.close();
  }, [queryClient]);
}

/** Reads everything again that a change touches. */
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
function chatOf(text: string): string | null {
  try {
    const { chat } = JSON.parse(text) as { chat?: unknown };
    return typeof chat === 'string' ? chat : null;
  } catch {
    return null;
  }
}

function parse(text: string): LiveChange | null {
  try {
    const change = JSON.parse(text) as LiveChange | null;
    return typeof change?.things === 'string' ? change : null;
  } catch {
    return null;
  }
}
