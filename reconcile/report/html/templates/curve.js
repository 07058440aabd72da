// The curve of a match: the chances before every decision, a line for each analysis, and the errors, marked by player.
const Curve = (() => {
  const NEAR = 4, ROLLS = 5, DIGIT = 7, EDGE = 36;  // decisions that a line joins; rolls marked; widths in pixels of a digit and of the axis

  // What is written at the axis, and the lowest and highest value, in thousandths.
  function axis(data, values) {
    if (data.length) return { ticks: [[0, '0'], [500, '50'], [1000, say('curve.percent', { number: 100 })]], low: -30, high: 1030 };
    const most = Math.max(...values.map(Math.abs)) || 1000, power = 10 ** Math.floor(Math.log10(most));
    const tick = power * [5, 2, 1].find((times) => times * power <= most), digits = tick % 1000 ? (tick % 100 ? 2 : 1) : 0;
    return { ticks: [-tick, 0, tick].map((value) => [value, decimals(value / 1000, digits).replace('-', '\u2212')]), low: -1.05 * most, high: 1.05 * most };
  }
  function inside(data, styles, size, width) {
    const sides = data.sides.slice(0, styles.length), count = data.game.length, known = sides.flatMap((side) => side.chance.filter((value) => value !== null));
    if (!known.length) return '';
    const { ticks, low, high } = axis(data, known), up = (value) => (100 * (high - value) / (high - low)).toFixed(1), across = (at) => (100 * (at + 0.5) / count).toFixed(2) + '%';
    const starts = data.game.map((_, at) => at).filter((at) => !at || data.game[at] !== data.game[at - 1]), parts = [];
    // Between the analyses; null where none has one.
    function middle(at) {
      const here = sides.map((side) => side.chance[at]).filter((value) => value !== null);
      return here.length ? up(here.reduce((sum, value) => sum + value, 0) / here.length) + '%' : null;
    }
    starts.slice(1).forEach((at) => parts.push(`<line x1="${across(at - 0.5)}" x2="${across(at - 0.5)}" y1="0" y2="100%" class="game"/>`));
    ticks.forEach(([value, name]) => parts.push(`<line x1="0" x2="100%" y1="${up(value)}%" y2="${up(value)}%" class="middle"/>`,
      `<text class="axis" x="100%" y="${Math.min(Math.max(up(value) - 2, 10), 97)}%">${name}</text>`));
    sides.forEach((side, index) => {
      let path = '', before = -1;
      side.chance.forEach((value, at) => {
        if (value === null) return;
        path += (before >= 0 && at - before <= NEAR && data.game[at] === data.game[before] ? 'L' : 'M') + at + ' ' + up(value);
        before = at;
      });
      parts.push(`<svg viewBox="-.5 0 ${count} 100" preserveAspectRatio="none" width="100%" height="100%" aria-hidden="true"><path d="${path}" class="line ${styles[index]}"/></svg>`);
    });
    data.worst.forEach((worst, at) => {
      const y = worst < 100 * size[0] ? null : middle(at), r = (2 + 3 * Math.min(worst / 20000, 1)).toFixed(1), look = worst < 100 * size[1] ? 'mid' : 'bad';
      if (y !== null) parts.push(data.player[at] ? `<rect x="${across(at)}" y="${y}" width="${2 * r}" height="${2 * r}" transform="translate(-${r} -${r})" class="${look} p2"/>` :
        `<circle cx="${across(at)}" cy="${y}" r="${r}" class="${look} p1"/>`);
    });
    // Triangles up for the luckiest rolls of the match, down for the unluckiest, shown on demand.
    const rolls = data.luck.map((luck, at) => [luck, at]).filter((roll) => roll[0]).sort((one, other) => one[0] - other[0]);
    [[rolls.slice(0, ROLLS), '\u25bc', -1], [rolls.slice(-ROLLS), '\u25b2', 1]].forEach(([some, mark, sign]) => some.forEach(([luck, at]) => {
      if (luck * sign > 0 && middle(at) !== null) parts.push(`<text class="roll" x="${across(at)}" y="${middle(at)}">${mark}</text>`);
    }));
    // Numbers of games that have room, beside each other and beside the axis.
    let free = 0;
    starts.forEach((at) => {
      const name = String(data.game[at]), left = (at + 0.5) / count * width, right = left + DIGIT * name.length;
      if (left < free || right > width - EDGE) return;
      free = right + DIGIT;
      parts.push(`<text x="${across(at)}" y="11">${name}</text>`);
    });
    return parts.join('') + '<line class="now" y1="0" y2="100%"/>';
  }
  return { inside };
})();
