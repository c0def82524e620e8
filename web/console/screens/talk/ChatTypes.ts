export type ChatRow = {
  id: string;
  status: 'waiting' | 'open' | 'closed';
  name: string;
  memberId?: string;
  verified: boolean;
  contact?: string;
  offline: boolean;
  language: string;
  operator?: string;
  mine: boolean;
  unread: number;
  preview: string;
  lastSeq: number;
  customerRead: number;
  rating: number;
  queuedAt: number;
  updatedAt: number;
  version: number;
};

export type ChatDetail = ChatRow & {
  notes: readonly { operator: string; text: string; at: number }[];
  ratings: readonly { operator: string; stars: number; comment?: string; at: number }[];
};

export type ChatMessage = {
  seq: number;
  from: 'customer' | 'operator' | 'system';
  operator?: string;
  clientId: string;
  kind: 'text' | 'image' | 'event';
  text?: string;
  image?: string;
  at: number;
};

export type SavedReply = {
  id: string;
  title: string;
  texts: Readonly<Record<string, string>>;
  updatedAt: number;
  version: number;
};

export const chatPath = (id: string): string => `/ops/v1/chats/${encodeURIComponent(id)}`;

/** Identifies a message, so that the server stores it once. */
export const newClientId = (): string =>
  `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 12)}`;
