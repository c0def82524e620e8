// The values of a form, and the version of the object that they were loaded from.
import { hashKey } from '@tanstack/react-query';
import { useState } from 'react';

type Draft<T, D> = {
  /** The object that the draft was loaded from. A save sends its version. */
  base: T;
  draft: D;
  change: (part: Partial<D>) => void;
  /** The draft has changes, and someone has saved a newer version with other values. */
  isOutdated: boolean;
  /** Replaces the draft with the values of an object, such as the response to a save. Values typed since the save stay. */
  load: (object: T) => void;
  /** Reports a save whose response is not the object. The next version replaces the draft. */
  markSaved: () => void;
};

const isEqual = (a: unknown, b: unknown): boolean => hashKey([a]) === hashKey([b]);

/**
 * Keeps what the operator typed when a newer version of the object arrives. A draft without changes, or with the same values, takes the
 * newer version. A version that changes no value of the form, such as a new status, replaces only the base.
 */
export function useDraft<T extends { version: number }, D extends object>(
  object: T,
  draftOf: (object: T) => D,
): Draft<T, D> {
  const [state, setState] = useState<{ base: T; draft: D; savedDraft?: D }>(() => ({
    base: object,
    draft: draftOf(object),
  }));
  const { base, draft, savedDraft } = state;
  const isNewer = object.version > base.version;
  if (isNewer) {
    const [before, after] = [draftOf(base), draftOf(object)];
    if (draft === savedDraft || isEqual(draft, before) || isEqual(draft, after))
      setState({ base: object, draft: after });
    else if (isEqual(before, after)) setState({ base: object, draft });
  }
  return {
    base,
    draft,
    change: (part) => setState((current) => ({ ...current, draft: { ...current.draft, ...part } })),
    isOutdated: isNewer,
    load: (next) =>
      setState((current) => ({
        base: next,
        draft: current.draft === draft ? draftOf(next) : current.draft,
      })),
    markSaved: () => setState((current) => ({ ...current, savedDraft: draft })),
  };
}
