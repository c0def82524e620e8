import { useLingui } from '@lingui/react/macro';

import { IconButton } from '../IconButton.tsx';

export type StarButtonProps = {
  /** The game's. */
  name: string;
  starred: boolean;
  /** The server is being told about it. */
  busy: boolean;
  onPress: () => void;
};

/** A game's star, given and taken away by a press. */
export function StarButton({ name, starred, busy, onPress }: StarButtonProps) {
  const { t } = useLingui();
  return (
    <IconButton
      icon={starred ? 'star-fill' : 'star'}
      label={t`Favourite: ${name}`}
      variant="art"
      pressed={starred}
      busy={busy}
      onPress={onPress}
    />
  );
}
