// This Source Code Form is subject to the terms of the Mozilla Public License, v. 2.0.
// If a copy of the MPL was not distributed with this file, You can obtain one at https://mozilla.org/MPL/2.0/.
//
// Questions to Open Sage as whole numbers, answers as doubles; the calls are those of the engine's own small interface
// (cpp/src/mobile.cpp). All numbers are in the view of the player on roll. Equities are cubeful, EMG.
#include "bgbot/bearoff.h"
#include "bgbot/board.h"
#include "bgbot/cube.h"
#include "bgbot/moves.h"
#include "bgbot/neural_net.h"
#include "bgbot/pubeval.h"

using namespace bgbot;
#define EXPORT(name) extern "C" __attribute__((export_name(#name)))

std::vector<Block> files;  // In the order in which the host gave them: the networks, then the database.

namespace {
constexpr int NETWORKS = 21, EACH = 26 + 7, CHANCES = 26, EQUITY = 31, PLIES = 32;
constexpr int PLACES[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11, 12, 13, 11, 11, 14, 15, 16, 17, 18, 19, 20};  // Its network of each place.
constexpr int WIDTH[] = {0, 0, 5, 3, 3};  // Plays that are looked at by this many plies, beside the one that was made.
constexpr double NEAR = 0.16;             // Of the best at fewer plies.
const MoveFilter FILTER{5, 0.08f};

struct Question {
  int32_t board[26];  // Checkers on both bars are positive.
  int32_t die1, die2, plies, cube, owner, away1, away2, crawford, jacoby;
  int32_t made[26];  // The board after the play that was made.
} question;
std::vector<double> answer;
BearoffDB database;
std::shared_ptr<Strategy> strategy;

Board board() {
  Board counts{};
  std::copy(std::begin(question.board), std::end(question.board), counts.begin());
  return counts;
}

CubeInfo cube_info() {
  const Question& q = question;
  return {q.cube, static_cast<CubeOwner>(q.owner), {q.away1, q.away2, q.crawford != 0}, -1.0f, q.away1 == 0 && q.jacoby != 0, false};
}

bool possible() {
  const Question& q = question;
  int own = q.board[25], others = q.board[0];
  for (int point = 1; point < 25; point++) (q.board[point] > 0 ? own : others) += std::abs(q.board[point]);
  return q.board[0] >= 0 && q.board[25] >= 0 && 1 <= own && own <= 15 && 1 <= others && others <= 15 && 1 <= q.plies && q.plies <= 4 &&
         0 <= q.away1 && q.away1 <= 25 && 0 <= q.away2 && q.away2 <= 25 && (q.away1 == 0) == (q.away2 == 0) && 0 <= q.owner && q.owner <= 2 &&
         1 <= q.cube && q.cube <= 1 << 15 && (q.cube & (q.cube - 1)) == 0;
}

void write_chances(std::array<float, 5> chances, double* into) {
  chances[2] = std::min(chances[2], chances[1]);  // A backgammon is a gammon, as the package's Python says too.
  chances[4] = std::min(chances[4], chances[3]);
  std::copy(chances.begin(), chances.end(), into);
}

// The chances and the equity of the player who has moved to this board.
void look(const Board& after, const Board& before, const CubeInfo& cube, int plies, double* row) {
  row[PLIES] = plies;
  if (plies == 1) {
    const auto chances = strategy->evaluate_probs(after, before);
    const auto [own, others] = pip_counts(after);
    write_chances(chances, row + CHANCES);
    row[EQUITY] = cl2cf(chances, cube, cube_efficiency(chances, is_race(after), own, others));
    return;
  }
  const auto [chances, equity] =
      cubeful_probs_and_equity_nply(flip(after), flip_cube_perspective(cube), *strategy, plies, FILTER, 1, nullptr, &before);
  write_chances(invert_probs(chances), row + CHANCES);
  row[EQUITY] = -equity;
}
}  // namespace

EXPORT(question) int32_t* asked() { return question.board; }
EXPORT(answer) double* answered() { return answer.data(); }

// Room for the next of the engine's files, which the host fills before `load`.
EXPORT(room) char* room(int size) {
  char* bytes = static_cast<char*>(malloc(size));
  files.push_back({bytes, static_cast<size_t>(size)});
  return bytes;
}

EXPORT(load) int load() {
  if (files.size() != NETWORKS + 1) return 0;
  std::vector<std::string> paths;
  std::vector<int> hidden;
  for (int network : PLACES) {
    paths.push_back(std::to_string(network));
    hidden.push_back(network ? 400 : 100);
  }
  auto networks = std::make_shared<BackgameAwarePairStrategy>(paths, hidden, true);
  if (!database.load(std::to_string(NETWORKS))) return 0;
  strategy = std::make_shared<BearoffStrategy>(networks, &database);
  for (Block& file : files) free(const_cast<char*>(file.bytes));
  files.clear();
  return 1;
}

// Every legal play: the board after it, the chances, the equity, by how many plies. Returns how many, -1 for an impossible question.
// All are looked at by 1 ply, the best of them and the play made by one more, and so on; what leads is looked at by all plies.
EXPORT(plays) int plays() {
  if (!possible() || std::min(question.die1, question.die2) < 1 || std::max(question.die1, question.die2) > 6) return -1;
  const Board before = board();
  const CubeInfo cube = cube_info();
  std::vector<Board> boards;
  possible_boards(before, question.die1, question.die2, boards);
  const size_t count = boards.size();
  answer.assign(count * EACH, 0);
  std::vector<size_t> order(count);
  const auto row = [&](size_t play) { return answer.data() + play * EACH; };
  const auto is_better = [&](size_t one, size_t other) { return row(one)[EQUITY] > row(other)[EQUITY]; };
  for (size_t play = 0; play < count; play++) {
    order[play] = play;
    std::copy(boards[play].begin(), boards[play].end(), row(play));
    look(boards[play], before, cube, 1, row(play));
  }
  for (int plies = 2; plies <= question.plies; plies++) {
    std::stable_sort(order.begin(), order.end(), is_better);
    const double least = row(order[0])[EQUITY] - NEAR;
    std::vector<size_t> chosen;
    for (size_t at = 0; at < count; at++) {
      const size_t play = order[at];
      const bool is_near = static_cast<int>(at) < WIDTH[plies] && row(play)[EQUITY] >= least;
      if (is_near || at < 2 || std::equal(boards[play].begin(), boards[play].end(), question.made)) chosen.push_back(play);
    }
    while (!chosen.empty()) {
      for (size_t play : chosen) look(boards[play], before, cube, plies, row(play));
      std::stable_sort(order.begin(), order.end(), is_better);
      chosen.clear();
      for (size_t at = 0; at < std::min<size_t>(2, count); at++)
        if (row(order[at])[PLIES] < plies) chosen.push_back(order[at]);
    }
  }
  return count;
}

// The equity of the best play of each of the 21 rolls, the higher die first, by 1 ply.
EXPORT(rolls) int rolls() {
  if (!possible()) return -1;
  const Board before = board();
  const CubeInfo cube = cube_info();
  std::vector<Board> boards;
  double row[EACH];
  answer.clear();
  for (int first = 1; first <= 6; first++)
    for (int second = 1; second <= first; second++) {
      possible_boards(before, first, second, boards);
      double best = -INFINITY;
      for (const Board& after : boards) {
        look(after, before, cube, 1, row);
        best = std::max(best, row[EQUITY]);
      }
      answer.push_back(best);
    }
  return answer.size();
}

// No double, double and take, double and pass, and the chances before the roll.
EXPORT(cube) int cube() {
  if (!possible()) return -1;
  const Board before = board(), flipped = flip(before);
  const CubeInfo cube = cube_info();
  std::array<float, 5> chances;
  CubeDecision decision;
  if (question.plies == 1) {
    chances = invert_probs(strategy->evaluate_probs(flipped, is_race(before)));
    const auto [own, others] = pip_counts(before);
    decision = cube_decision_1ply(chances, cube, cube_efficiency(chances, is_race(before), own, others));
  } else {
    static PubEval first;
    decision = cube_decision_nply(before, cube, *strategy, question.plies, FILTER, 1, &first);
    MultiPlyStrategy deep(strategy, question.plies, FILTER, false, false, 1);
    deep.set_bearoff_db(&database);
    chances = invert_probs(deep.evaluate_probs(flipped, flipped));
    deep.clear_cache();
  }
  answer = {decision.equity_nd, decision.equity_dt, decision.equity_dp, 0, 0, 0, 0, 0};
  write_chances(chances, answer.data() + 3);
  return answer.size();
}

// Nothing is destroyed at the end of a thread, and nothing is asked of a system.
extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }
extern "C" int __imported_wasi_snapshot_preview1_fd_write(int, int, int, int) { return 52; }
extern "C" int __imported_wasi_snapshot_preview1_fd_seek(int, long long, int, int) { return 52; }
extern "C" int __imported_wasi_snapshot_preview1_fd_close(int) { return 52; }
extern "C" void __imported_wasi_snapshot_preview1_proc_exit(int) { __builtin_trap(); }
