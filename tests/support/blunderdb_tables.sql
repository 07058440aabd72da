CREATE TABLE metadata (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE match (id INTEGER PRIMARY KEY AUTOINCREMENT, player1_name TEXT, player2_name TEXT, event TEXT, match_length INTEGER,
    match_date DATETIME, file_path TEXT, game_count INTEGER DEFAULT 0, has_jacoby INTEGER, has_beaver INTEGER);
CREATE TABLE game (id INTEGER PRIMARY KEY AUTOINCREMENT, match_id INTEGER, game_number INTEGER, initial_score_1 INTEGER,
    initial_score_2 INTEGER, winner INTEGER, points_won INTEGER, move_count INTEGER DEFAULT 0,
    FOREIGN KEY(match_id) REFERENCES match(id) ON DELETE CASCADE);
CREATE TABLE move (id INTEGER PRIMARY KEY AUTOINCREMENT, game_id INTEGER, move_number INTEGER, move_type {action}, position_id INTEGER,
    player INTEGER, dice_1 INTEGER, dice_2 INTEGER, checker_move TEXT, cube_action {action}, luck_mp INTEGER{of_moves},
    FOREIGN KEY(game_id) REFERENCES game(id) ON DELETE CASCADE);
CREATE TABLE position (id INTEGER PRIMARY KEY AUTOINCREMENT, decision_type INTEGER, player_on_roll INTEGER, dice_1 INTEGER,
    dice_2 INTEGER, cube_value INTEGER, cube_owner INTEGER, score_1 INTEGER, score_2 INTEGER, match_length INTEGER,
    state TEXT NOT NULL{checks});
CREATE TABLE analysis (id INTEGER PRIMARY KEY, position_id INTEGER UNIQUE, data JSON, best_cube_action {action}, cube_error INTEGER,
    best_move_equity_error INTEGER, is_forced INTEGER NOT NULL DEFAULT 0, is_close_cube INTEGER NOT NULL DEFAULT 0,
    analysis_engine TEXT, analysis_depth INTEGER, met_id INTEGER);
CREATE TABLE match_stats (match_id INTEGER NOT NULL, seat INTEGER NOT NULL, decisions INTEGER NOT NULL DEFAULT 0,
    checker_decisions INTEGER NOT NULL DEFAULT 0, cube_decisions INTEGER NOT NULL DEFAULT 0, error_mp INTEGER NOT NULL DEFAULT 0, pr REAL,
    luck_mp INTEGER NOT NULL DEFAULT 0, luck_rolls INTEGER NOT NULL DEFAULT 0, checker_error_mp INTEGER, cube_error_mp INTEGER,
    snowie_error_mp INTEGER, snowie_moves INTEGER, checker_moves INTEGER, PRIMARY KEY (match_id, seat));
CREATE INDEX idx_move_game ON move(game_id);
CREATE INDEX idx_move_position ON move(position_id);
