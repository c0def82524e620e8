/** Sends a message from the app to the game. */
export function sendToGame(message: object): void {
  const event = new MessageEvent('message', {
    data: { fairground: 1, ...message },
    origin: location.origin,
  });
  Object.defineProperty(event, 'source', { value: window.parent });
  dispatchEvent(event);
}

/** Returns the text of the card over the game, without isolation characters. */
export const cardText = (): string =>
  (document.querySelector('[role=alert]')?.textContent ?? '').replaceAll(/[\u2066\u2069]/g, '');
