// Positions, plays and identifiers from the page's compact columns, as reconcile/match/board has them.
const Notation = (function () {
  const BAR = 25;

  // 26 signed counts from 26 letters: A is one checker of the decider, a one of the opponent.
  function board(letters) {
    return Array.from(letters, function (letter) {
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
    sorted(pairs).forEach(function (step) {
      const chain = chains.find((one) => one[one.length - 1] === step[0]);
      if (chain) chain.push(step[1]);
      else chains.push(step.slice());
    });
    const times = new Map();
    sorted(chains).forEach(function (chain) {
      const key = chain.join();
      times.set(key, (times.get(key) || 0) + 1);
    });
    const hit = new Set();
    counts.forEach(function (count, place) { if (count === -1 && place > 0 && place < BAR) hit.add(place); });
    return Array.from(times, function (entry) {
      const path = entry[0].split(',').map(Number);
      let word = path[0] === BAR ? 'bar' : String(path[0]);
      path.slice(1).forEach(function (place, index) {
        if (hit.has(place) || index === path.length - 2) word += '/' + (place || 'off');
        if (hit.delete(place)) word += '*';
      });
      return entry[1] > 1 ? word + '(' + entry[1] + ')' : word;
    }).join(' ');
  }

  function swapped(counts) { return counts.map((count) => count ? -count : 0).reverse(); }

  function base64(bits, bytes) {
    let text = '';
    for (let byte = 0; byte < bytes; byte += 1) {
      let value = 0;
      for (let bit = 0; bit < 8; bit += 1) value += (bits[8 * byte + bit] || 0) << bit;
      text += String.fromCharCode(value);
    }
    return btoa(text).replace(/=+$/, '');
  }

  function positionId(counts) {
    const bits = [];
    [swapped(counts), counts].forEach(function (half) {
      half.slice(1).forEach(function (count) {
        for (let left = count; left > 0; left -= 1) bits.push(1);
        bits.push(0);
      });
    });
    return base64(bits, 10);
  }

  // A situation: counts, dice, cube, owner, offered, top (the decider sits there), length, score (decider first), crawford, rules (money).
  function gnubgId(one) {
    const decider = one.top ? 0 : 1;
    const score = one.top ? one.score : one.score.slice().reverse();
    const bits = [];
    [
      [Math.log2(one.cube), 4], [one.owner === 0 ? 3 : one.owner === 1 ? decider : 1 - decider, 2], [one.offered ? 1 - decider : decider, 1],
      [one.crawford, 1], [1, 3], [decider, 1], [one.offered ? 1 : 0, 1], [0, 2], [Math.max.apply(null, one.dice), 3],
      [Math.min.apply(null, one.dice), 3], [one.length || 0, 15], [score[0], 15], [score[1], 15], [one.length || !(one.rules & 1) ? 1 : 0, 1]
    ].forEach(function (field) { for (let bit = 0; bit < field[1]; bit += 1) bits.push(field[0] >> bit & 1); });
    return positionId(one.offered ? swapped(one.counts) : one.counts) + ':' + base64(bits, 9);
  }

  function xgid(one) {
    const seat = one.top ? -1 : 1;
    const letters = (one.top ? swapped(one.counts) : one.counts).map(function (count) {
      return count === 0 ? '-' : String.fromCharCode(count > 0 ? 64 + count : 96 - count);
    });
    const score = one.top ? one.score.slice().reverse() : one.score;
    return 'XGID=' + [
      letters.join(''), Math.log2(one.cube), seat * one.owner || 0, one.offered ? -seat : seat,
      one.offered ? 'D' : '' + Math.max.apply(null, one.dice) + Math.min.apply(null, one.dice),
      score[0], score[1], one.length ? one.crawford : one.rules, one.length || 0, 10
    ].join(':');
  }

  return { board: board, steps: steps, sorted: sorted, play: play, gnubgId: gnubgId, xgid: xgid };
}());
