import { lazyPopup } from '../../ui/lazyPopup.tsx';
import type { PlaySnapshot } from './SessionStats.tsx';

export type RealityCheckProps = {
  open: boolean;
  play: PlaySnapshot | undefined;
  onContinue: (minutes: number | null) => Promise<void>;
  onLeave: (to?: string) => void;
};

const View = lazyPopup<RealityCheckProps & { onClose: () => void }>(
  () => import('./RealityCheckView.tsx'),
);

/** Pauses play until the member has seen the time and the result of the session. */
export function RealityCheck(props: RealityCheckProps) {
  return <View {...props} onClose={() => {}} />;
}
