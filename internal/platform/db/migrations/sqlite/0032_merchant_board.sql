-- +goose Up
-- The merchant whose winner board may show the round. null until the round wins something, and for accounts that are not
-- players. The board finds its wins by it.
ALTER TABLE vendor_round ADD COLUMN board BIGINT;

DROP TRIGGER vendor_move_adds;
-- +goose StatementBegin
CREATE TRIGGER vendor_move_adds AFTER INSERT ON vendor_move WHEN NEW.call <> 'promo'
BEGIN
  INSERT INTO vendor_round (first_id, vendor_id, member_id, round, game_id, started, settled, staked, refunded, won, standing, wins, ends, board)
  VALUES (NEW.transfer_id, NEW.vendor_id, NEW.member_id, NEW.round, NEW.game_id, NEW.at, CASE WHEN NEW.call = 'win' OR NEW.ends THEN NEW.at ELSE 0 END,
    CASE NEW.call WHEN 'bet' THEN MIN(NEW.amount, 4611686018427387904) ELSE 0 END, CASE NEW.call WHEN 'rollback' THEN MIN(NEW.amount, 4611686018427387904) ELSE 0 END,
    CASE NEW.call WHEN 'win' THEN MIN(NEW.amount, 4611686018427387904) ELSE 0 END,
    CASE NEW.call WHEN 'bet' THEN 1 WHEN 'rollback' THEN -1 ELSE 0 END, CASE NEW.call WHEN 'win' THEN 1 ELSE 0 END, CASE WHEN NEW.ends THEN 1 ELSE 0 END,
    CASE WHEN NEW.call = 'win' AND NEW.amount > 0 THEN (SELECT p.merchant_id FROM member p WHERE p.id = NEW.member_id AND p.type <= 2) END)
  ON CONFLICT (vendor_id, round, member_id) DO UPDATE SET game_id = MIN(game_id, excluded.game_id),
    started = MIN(started, excluded.started), settled = MAX(settled, excluded.settled),
    staked = MIN(4611686018427387904, staked + excluded.staked), refunded = MIN(4611686018427387904, refunded + excluded.refunded), won = MIN(4611686018427387904, won + excluded.won),
    standing = standing + excluded.standing, wins = wins + excluded.wins, ends = ends + excluded.ends, board = COALESCE(board, excluded.board);
END;
-- +goose StatementEnd

CREATE INDEX vendor_round_board ON vendor_round (board, settled, first_id)
WHERE board IS NOT NULL AND ends > 0 AND (won > staked - refunded OR won = 4611686018427387904); -- an amount at its bound counts as a win

-- The board covers thirty days, so older rounds need no value.
UPDATE vendor_round SET board = p.merchant_id FROM member p
WHERE p.id = vendor_round.member_id AND p.type <= 2 AND vendor_round.won > 0
  AND (vendor_round.ends = 0 OR vendor_round.settled > (SELECT MAX(x.settled) FROM vendor_round x WHERE x.won > 0 AND x.ends > 0) - 2592000000);
DROP INDEX vendor_round_won;

-- +goose Down
CREATE INDEX vendor_round_won ON vendor_round (settled, first_id) WHERE won > 0 AND ends > 0;
DROP INDEX vendor_round_board;
DROP TRIGGER vendor_move_adds;
-- +goose StatementBegin
CREATE TRIGGER vendor_move_adds AFTER INSERT ON vendor_move WHEN NEW.call <> 'promo'
BEGIN
  INSERT INTO vendor_round (first_id, vendor_id, member_id, round, game_id, started, settled, staked, refunded, won, standing, wins, ends)
  VALUES (NEW.transfer_id, NEW.vendor_id, NEW.member_id, NEW.round, NEW.game_id, NEW.at, CASE WHEN NEW.call = 'win' OR NEW.ends THEN NEW.at ELSE 0 END,
    CASE NEW.call WHEN 'bet' THEN MIN(NEW.amount, 4611686018427387904) ELSE 0 END, CASE NEW.call WHEN 'rollback' THEN MIN(NEW.amount, 4611686018427387904) ELSE 0 END,
    CASE NEW.call WHEN 'win' THEN MIN(NEW.amount, 4611686018427387904) ELSE 0 END,
    CASE NEW.call WHEN 'bet' THEN 1 WHEN 'rollback' THEN -1 ELSE 0 END, CASE NEW.call WHEN 'win' THEN 1 ELSE 0 END, CASE WHEN NEW.ends THEN 1 ELSE 0 END)
  ON CONFLICT (vendor_id, round, member_id) DO UPDATE SET game_id = MIN(game_id, excluded.game_id),
    started = MIN(started, excluded.started), settled = MAX(settled, excluded.settled),
    staked = MIN(4611686018427387904, staked + excluded.staked), refunded = MIN(4611686018427387904, refunded + excluded.refunded), won = MIN(4611686018427387904, won + excluded.won),
    standing = standing + excluded.standing, wins = wins + excluded.wins, ends = ends + excluded.ends;
END;
-- +goose StatementEnd
ALTER TABLE vendor_round DROP COLUMN board;
