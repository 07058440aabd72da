// Positions, plays and identifiers from the page's compact columns, as reconcile/match/board has them.
const Notation = (() => {
  const BAR = 25;

  // 26 signed counts from 26 letters: A is one checker of the decider, a one of the opponent.
  function board(letters) {
    return Array.from(letters, (letter) => {
      const code = letter.charCodeAt(0);
      return letter === '-' ? 0 : code < 96 ? code - 64 : 96 - code;
    });
  }

  // [from, to] pairs from two letters each: a is 0, the bar is z.
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

  // 13/8*/3(2), bar/24, 6/off.
  function play(counts, pairs) {
    if (!pairs.length) return 'cannot move';
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

  return { board: board, steps: steps, sorted: sorted, play: play, xgid: xgid };
})();
