import type { ScreenRoute } from '../routes.ts';
import { ChatsScreen } from './ChatsScreen.tsx';
import { RepliesScreen, ReplyScreen } from './ReplyScreens.tsx';

export const chatRoutes: readonly ScreenRoute[] = [
  { path: '/chats', screen: ChatsScreen },
  { path: '/chats/:id', screen: ChatsScreen },
  { path: '/replies', screen: RepliesScreen },
  { path: '/replies/:id', screen: ReplyScreen },
];
