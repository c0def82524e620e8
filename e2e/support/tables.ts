/**
 * One live table per engine. `sides` are two spots that cannot both win, `main` the spots with large labels. `picture` has
 * the stakes in the pictures, which are all on one side, and the results: the second loses.
 */
export const tables = [
  {
    engine: 'baccarat',
    vendor: 'NOX',
    game: 'live-001',
    sides: ['player', 'banker'],
    main: ['player', 'banker'],
    picture: {
      spots: ['banker', 'playerPair'],
      result: (turn: number) => {
        const [player, banker] = turn % 3 === 1 ? [8, 3] : [6, 7];
        return {
          player: turn % 3 === 1 ? ['8D', 'KC'] : ['6D', 'KC'],
          banker: turn % 3 === 1 ? ['3S', 'QH'] : ['9S', '8H'],
          winner: player > banker ? 'player' : 'banker',
          playerPair: turn % 5 === 0,
          bankerPair: turn % 7 === 0,
          points: { player, banker },
        };
      },
    },
  },
  {
    engine: 'sicbo',
    vendor: 'LUX',
    game: 'live-009',
    sides: ['small', 'big'],
    main: ['small', 'big', 'anyTriple'],
    picture: {
      spots: ['small', 'total9'],
      result: (turn: number) => ({
        dice: [
          [4, 3, 2],
          [6, 5, 4],
          [1, 1, 5],
        ][turn % 3],
      }),
    },
  },
  {
    engine: 'dragontiger',
    vendor: 'NOX',
    game: 'live-007',
    sides: ['dragon', 'tiger'],
    main: ['dragon', 'tiger'],
    picture: {
      spots: ['tiger', 'tie'],
      result: (turn: number) => ({
        dragon: turn % 3 === 1 ? 'KS' : '4D',
        tiger: '9C',
        winner: turn % 3 === 1 ? 'dragon' : 'tiger',
      }),
    },
  },
  {
    engine: 'roulette',
    vendor: 'LUX',
    game: 'live-016',
    sides: ['red', 'black'],
    main: ['red', 'black', 'even', 'odd'],
    picture: {
      spots: ['red', 'n7'],
      result: (turn: number) => ({ number: [7, 26, 0, 32, 19][turn % 5] }),
    },
  },
] as const;
