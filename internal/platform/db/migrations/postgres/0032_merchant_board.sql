-- +goose Up
-- The merchant whose winner board may show the round. null until the round wins something, and for accounts that are not
-- players. The board finds its wins by it.
ALTER TABLE vendor_round ADD COLUMN board BIGINT;

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION vendor_move_adds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO vendor_round AS r (first_id, vendor_id, member_id, round, game_id, started, settled, staked, refunded, won, standing, wins, ends, board)
  SELECT MIN(m.transfer_id), m.vendor_id, m.member_id, m.round, MIN(m.game_id), MIN(m.at), COALESCE(MAX(m.at) FILTER (WHERE m.call = 'win' OR m.ends), 0),
    LEAST(4611686018427387904, COALESCE(SUM(m.amount) FILTER (WHERE m.call = 'bet'), 0)), LEAST(4611686018427387904, COALESCE(SUM(m.amount) FILTER (WHERE m.call = 'rollback'), 0)),
    LEAST(4611686018427387904, COALESCE(SUM(m.amount) FILTER (WHERE m.call = 'win'), 0)),
    COUNT(*) FILTER (WHERE m.call = 'bet') - COUNT(*) FILTER (WHERE m.call = 'rollback'), COUNT(*) FILTER (WHERE m.call = 'win'), COUNT(*) FILTER (WHERE m.ends),
    CASE WHEN SUM(m.amount) FILTER (WHERE m.call = 'win') > 0 THEN (SELECT p.merchant_id FROM member p WHERE p.id = m.member_id AND p.type <= 2) END
  FROM added m WHERE m.call <> 'promo'
  GROUP BY m.vendor_id, m.member_id, m.round ORDER BY m.vendor_id, m.member_id, m.round
  ON CONFLICT (vendor_id, round, member_id) DO UPDATE SET game_id = LEAST(r.game_id, excluded.game_id),
    started = LEAST(r.started, excluded.started), settled = GREATEST(r.settled, excluded.settled),
    staked = r.staked + LEAST(excluded.staked, 4611686018427387904 - r.staked), refunded = r.refunded + LEAST(excluded.refunded, 4611686018427387904 - r.refunded), won = r.won + LEAST(excluded.won, 4611686018427387904 - r.won),
    standing = r.standing + excluded.standing, wins = r.wins + excluded.wins, ends = r.ends + excluded.ends, board = COALESCE(r.board, excluded.board);
  RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE INDEX vendor_round_board ON vendor_round (board, settled, first_id)
WHERE board IS NOT NULL AND ends > 0 AND (won > staked - refunded OR won = 4611686018427387904); -- an amount at its bound counts as a win

-- The board covers thirty days, so older rounds need no value.
ALTER TABLE vendor_round DISABLE TRIGGER vendor_round_goes_on; -- totals do not change
UPDATE vendor_round SET board = p.merchant_id FROM member p
WHERE p.id = vendor_round.member_id AND p.type <= 2 AND vendor_round.won > 0
  AND (vendor_round.ends = 0 OR vendor_round.settled > (SELECT MAX(x.settled) FROM vendor_round x WHERE x.won > 0 AND x.ends > 0) - 2592000000);
ALTER TABLE vendor_round ENABLE TRIGGER vendor_round_goes_on;
DROP INDEX vendor_round_won;

-- +goose Down
CREATE INDEX vendor_round_won ON vendor_round (settled, first_id) WHERE won > 0 AND ends > 0;
DROP INDEX vendor_round_board;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION vendor_move_adds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO vendor_round AS r (first_id, vendor_id, member_id, round, game_id, started, settled, staked, refunded, won, standing, wins, ends)
  SELECT MIN(m.transfer_id), m.vendor_id, m.member_id, m.round, MIN(m.game_id), MIN(m.at), COALESCE(MAX(m.at) FILTER (WHERE m.call = 'win' OR m.ends), 0),
    LEAST(4611686018427387904, COALESCE(SUM(m.amount) FILTER (WHERE m.call = 'bet'), 0)), LEAST(4611686018427387904, COALESCE(SUM(m.amount) FILTER (WHERE m.call = 'rollback'), 0)),
    LEAST(4611686018427387904, COALESCE(SUM(m.amount) FILTER (WHERE m.call = 'win'), 0)),
    COUNT(*) FILTER (WHERE m.call = 'bet') - COUNT(*) FILTER (WHERE m.call = 'rollback'), COUNT(*) FILTER (WHERE m.call = 'win'), COUNT(*) FILTER (WHERE m.ends)
  FROM added m WHERE m.call <> 'promo'
  GROUP BY m.vendor_id, m.member_id, m.round ORDER BY m.vendor_id, m.member_id, m.round
  ON CONFLICT (vendor_id, round, member_id) DO UPDATE SET game_id = LEAST(r.game_id, excluded.game_id),
    started = LEAST(r.started, excluded.started), settled = GREATEST(r.settled, excluded.settled),
    staked = r.staked + LEAST(excluded.staked, 4611686018427387904 - r.staked), refunded = r.refunded + LEAST(excluded.refunded, 4611686018427387904 - r.refunded), won = r.won + LEAST(excluded.won, 4611686018427387904 - r.won),
    standing = r.standing + excluded.standing, wins = r.wins + excluded.wins, ends = r.ends + excluded.ends;
  RETURN NULL;
END $$;
-- +goose StatementEnd
ALTER TABLE vendor_round DROP COLUMN board;
