/** A word of the app around the frame. */
export function tellGame(message: object): void {
  const event = new MessageEvent('message', {
    data: { fairground: 1, ...message },
    origin: location.origin,
  });
  Object.defineProperty(event, 'source', { value: window.parent });
  dispatchEvent(event);
}

/** What a card over the game says, without the signs that keep amounts together. */
export const cardSays = (): string =>
  (document.querySelector('[role=alert]')?.textContent ?? '').replaceAll(/[\u2066\u2069]/g, '');
