import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { createContext, use, useCallback } from 'react';

import type { Currency } from '../src/lib/currency.ts';
import type { Game, PlayType } from './wire.ts';

/** Data that all parts of a game's page use. */
export type GameContext = {
  game: Game;
  currency: Currency;
  decimals: number;
  prizeMode: string;
  playType: PlayType;
};

export const GameContextProvider = createContext<GameContext | null>(null);

export function useGameContext(): GameContext {
  const context = use(GameContextProvider);
  if (!context) throw new Error('GameContextProvider is missing');
  return context;
}

/** Returns a function that translates messages and returns plain texts unchanged. */
export function useTranslate(): (text: MessageDescriptor | string) => string {
  const { i18n } = useLingui();
  return useCallback((text) => (typeof text === 'string' ? text : i18n._(text)), [i18n]);
}
