// Positions, plays and identifiers from the page's columns, as reconcile/match/board has them.
const Notation = (() => {
  const BAR = 25;

  // A is one checker of the decider, a one of the opponent.
  function board(letters) {
    return Array.from(letters, (letter) => {
      const code = letter.charCodeAt(0);
      return letter === '-' ? 0 : code < 96 ? code - 64 : 96 - code;
    });
  }

  // Pairs of letters: a is 0, the bar is z.
  function steps(letters) {
    const found = [];
    for (let at = 0; at + 1 < letters.length; at += 2) found.push([letters.charCodeAt(at) - 97, letters.charCodeAt(at + 1) - 97]);
    return found;
  }

  function downwards(one, other) {
    for (let at = 0; at < Math.min(one.length, other.length); at += 1) if (one[at] !== other[at]) return other[at] - one[at];
    return other.length - one.length;
  }

  function sorted(play) { return play.slice().sort(downwards); }

  function play(counts, pairs) {
    if (!pairs.length) return say('action.cannot-move');
    const chains = [];
    sorted(pairs).forEach((step) => {
      const chain = chains.find((one) => one[one.length - 1] === step[0]);
      if (chain) chain.push(step[1]);
      else chains.push(step.slice());
    });
    const times = new Map();
    sorted(chains).forEach((chain) => {
      const key = chain.join();
      times.set(key, (times.get(key) || 0) + 1);
    });
    const hit = new Set();
    counts.forEach((count, place) => { if (count === -1 && place > 0 && place < BAR) hit.add(place); });
    return Array.from(times, (entry) => {
      const path = entry[0].split(',').map(Number);
      let word = path[0] === BAR ? 'bar' : String(path[0]);
      path.slice(1).forEach((place, index) => {
        if (hit.has(place) || index === path.length - 2) word += '/' + (place || 'off');
        if (hit.delete(place)) word += '*';
      });
      return entry[1] > 1 ? word + '(' + entry[1] + ')' : word;
    }).join(' ');
  }

  function swapped(counts) { return counts.map((count) => count ? -count : 0).reverse(); }

  function xgid(one) {
    const seat = one.top ? -1 : 1;
    const letters = (one.top ? swapped(one.counts) : one.counts).map((count) => {
      return count === 0 ? '-' : String.fromCharCode(count > 0 ? 64 + count : 96 - count);
    });
    const score = one.top ? one.score.slice().reverse() : one.score;
    return 'XGID=' + [
      letters.join(''), Math.log2(one.cube), seat * one.owner || 0, one.offered ? -seat : seat,
      one.offered ? 'D' : '' + Math.max.apply(null, one.dice) + Math.min.apply(null, one.dice),
      score[0], score[1], one.length ? one.crawford : one.rules, one.length || 0, 10
    ].join(':');
  }

  function after(counts, step) {
    const next = counts.slice();
    next[step[0]] -= 1;
    if (step[1] && next[step[1]] === -1) {
      next[step[1]] = 0;
      next[0] -= 1;
    }
    if (step[1]) next[step[1]] += 1;
    return next;
  }
  function stepsOf(counts, die) {
    const found = [], last = counts.reduce((most, count, place) => (count > 0 ? place : most), 0);
    for (let from = counts[BAR] > 0 ? BAR : last; from > 0; from -= 1) {
      if (counts[BAR] > 0 && from < BAR) break;
      const to = from - die, off = to <= 0 && last <= 6 && (to === 0 || from === last);
      if (counts[from] > 0 && (off || (to > 0 && counts[to] >= -1))) found.push([from, Math.max(to, 0)]);
    }
    return found;
  }
  const without = (dice, at) => dice.filter((_, index) => index !== at);
  function mostDice(counts, dice, known) {
    const key = counts.join() + dice;
    if (!known.has(key)) {
      known.set(key, 0);
      let most = 0;
      dice.forEach((die, at) => {
        if (most === dice.length || dice.indexOf(die) !== at) return;
        stepsOf(counts, die).forEach((step) => { most = Math.max(most, 1 + mostDice(after(counts, step), without(dice, at), known)); });
      });
      known.set(key, most);
    }
    return known.get(key);
  }
  // The steps that the rules allow next: as many dice as can be are used, of two of which one can be, the larger.
  function legal(counts, dice) {
    const known = new Map(), most = mostDice(counts, dice, known), found = [];
    dice.forEach((die, at) => {
      if (dice.indexOf(die) !== at) return;
      stepsOf(counts, die).forEach((step) => {
        const rest = without(dice, at);
        if (most && 1 + mostDice(after(counts, step), rest, known) === most) found.push({ step: step, die: die, rest: rest });
      });
    });
    if (dice.length === 2 && dice[0] !== dice[1] && most === 1) {
      const largest = Math.max.apply(null, found.map((one) => one.die));
      return found.filter((one) => one.die === largest);
    }
    return found;
  }

  return { after: after, legal: legal, board: board, steps: steps, sorted: sorted, play: play, swapped: swapped, xgid: xgid };
})();
