export type ServerEvent = { event: string; data: string };

/** Parses an event stream from chunks of text and passes on each complete event. Chunks may end anywhere, even inside a CRLF. */
export function createEventParser(onEvent: (event: ServerEvent) => void): (piece: string) => void {
  let rest = '';
  let event = '';
  let data: string[] = [];

  function line(text: string) {
    if (text === '') {
      if (data.length > 0) onEvent({ event: event || 'message', data: data.join('\n') });
      event = '';
      data = [];
      return;
    }
    if (text.startsWith(':')) return;
    const colon = text.indexOf(':');
    const name = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? '' : text.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
  }

  return (piece) => {
    rest += piece;
    // A final carriage return may be half of a CRLF: wait for the next chunk.
    for (;;) {
      const end = /\r\n|\n|\r(?!$)/.exec(rest);
      if (!end) return;
      line(rest.slice(0, end.index));
      rest = rest.slice(end.index + end[0].length);
    }
  };
}
