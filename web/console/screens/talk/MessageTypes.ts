import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

export type MessageText = { title: string; body: string };

export type Segment = {
  type?: number;
  vip?: string;
  language?: string;
  seenSince?: number;
  seenBefore?: number;
  depositMin?: number;
  depositMax?: number;
};

export type Message = {
  id: string;
  audience: string;
  member?: string;
  segment?: Segment;
  title: string;
  texts: Record<string, MessageText>;
  link?: string;
  promotional: boolean;
  status: string;
  reached: number;
  readers: number;
  createdBy: string;
  createdAt: number;
  startsAt: number;
  endsAt: number;
  version: number;
};

export const audiences: Record<string, MessageDescriptor> = {
  member: msg`One member`,
  segment: msg`A segment`,
  all: msg`All members`,
};

export const languageNames: Record<string, MessageDescriptor> = {
  vi: msg`Vietnamese`,
  en: msg`English`,
  ur: msg`Urdu`,
  pt: msg`Portuguese`,
};
