// What members have typed in the chats of streams. It survives when the input disappears, for example while they look at the games.
import { create } from 'zustand';

export type StreamDraft = {
  text: string;
  isSending: boolean;
  /** The message that got no response. Sent again unchanged, it keeps its id, so that the server stores it once. */
  unconfirmed: { clientId: string; text: string } | null;
};

const noDraft: StreamDraft = { text: '', isSending: false, unconfirmed: null };

/** The drafts, by stream and member. */
export const useStreamDrafts = create<Readonly<Record<string, StreamDraft>>>(() => ({}));

export const useStreamDraft = (key: string): StreamDraft =>
  useStreamDrafts((drafts) => drafts[key]) ?? noDraft;

export const streamDraft = (key: string): StreamDraft => useStreamDrafts.getState()[key] ?? noDraft;

export const changeStreamDraft = (key: string, change: Partial<StreamDraft>): void =>
  useStreamDrafts.setState({ [key]: { ...streamDraft(key), ...change } });
