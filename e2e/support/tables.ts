/** One live table per engine. `sides` are two spots that cannot both win, `main` the spots with large labels. */
export const tables = [
  {
    engine: 'baccarat',
    vendor: 'NOX',
    game: 'live-001',
    sides: ['player', 'banker'],
    main: ['player', 'banker'],
  },
  {
    engine: 'sicbo',
    vendor: 'LUX',
    game: 'live-009',
    sides: ['small', 'big'],
    main: ['small', 'big', 'anyTriple'],
  },
  {
    engine: 'dragontiger',
    vendor: 'NOX',
    game: 'live-007',
    sides: ['dragon', 'tiger'],
    main: ['dragon', 'tiger'],
  },
  {
    engine: 'roulette',
    vendor: 'LUX',
    game: 'live-016',
    sides: ['red', 'black'],
    main: ['red', 'black', 'even', 'odd'],
  },
] as const;
