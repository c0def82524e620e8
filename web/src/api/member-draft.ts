// The draft of a form for members. Unlike other drafts, it survives a login after the session ended.
import { Draft, type StoredPart } from '../lib/draft.ts';
import { currentSession } from './session.ts';

type Owned<T> = { member: string; typed: T };

const currentMember = () => currentSession()?.userName ?? '';

export class MemberDraft<T> {
  readonly #draft: Draft<Owned<T>>;

  /** `pages` and `storage` are as in Draft. */
  constructor(pages: RegExp, storage?: StoredPart<T>) {
    this.#draft = new Draft<Owned<T>>(
      new RegExp(`${pages.source}|^/m/(?:login|forget)$`),
      storage && {
        key: storage.key,
        part: ({ member, typed }) => ({ member, typed: storage.part(typed) }),
      },
    );
  }

  /** What the current member typed. It is null if another member typed the draft. */
  get value(): T | null {
    const owned = this.#draft.value;
    return owned?.member === currentMember() ? owned.typed : null;
  }

  keep(typed: T): void {
    this.#draft.keep({ member: currentMember(), typed });
  }

  drop(): void {
    this.#draft.drop();
  }
}
