import { useFollowsDraws } from '../api/followed-draws.ts';
import { Deferred } from '../ui/Deferred.tsx';
import { withMessages } from './with-messages.ts';

const load = () => withMessages(import('../features/lottery/DrawNotices.tsx'), 'lottery');

/** Announces the results of followed draws. Its code loads only if the member follows a draw. */
export function LazyDrawNotices() {
  return useFollowsDraws() && <Deferred load={load} />;
}
