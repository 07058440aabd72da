// The board as SVG text.
const Board = (() => {
  const POINT = 40, HIGH = 192, RADIUS = 18.5, SHOWN = 5, MARGIN = 56, STRIP = 30, GAP = 52, BAR = 25;
  const TOP = STRIP + 20, BOTTOM = TOP + 2 * HIGH + GAP, CENTRE = TOP + HIGH + GAP / 2, LEFT = MARGIN, BAR_X = LEFT + 6 * POINT;
  const RIGHT = BAR_X + 46, TRAY = RIGHT + 6 * POINT, WIDTH = TRAY + MARGIN, HEIGHT = BOTTOM + 20 + STRIP;
  const LIGHT_AND_DARK = ['var(--board-light,#fffdf7)', 'var(--board-dark,#2b2724)'], DARK = '#2b2724';
  const PIPS = ['', '4', '08', '048', '0268', '02468', '012678'];
  const STYLES = {
    played: ['played,#b0123b'], left: ['left,#1b57b0', '9 5'], right: ['right,#0b6b4f', '2 5'], third: ['third,#6d28a8', '12 4 2 4'],
    fourth: ['fourth,#00696b', '6 3'], fifth: ['fifth,#a8146b', '16 4'], sixth: ['sixth,#5a6600', '2 3 8 3']
  };
  const SIDES = Object.keys(STYLES).slice(1);
  let inks = LIGHT_AND_DARK, turned = false, mirrored = false;  // of the board being drawn: the decider's ink first; whether the decider is above; whether home is on the left
  const escaped = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt()};`);
  const range = (count) => Array.from({ length: Math.max(count, 0) }, (_, index) => index);
  // A half goes to the even number, as in Python.
  function whole(value) {
    const low = Math.floor(value);
    return value - low === 0.5 ? low + Math.abs(low % 2) : Math.round(value);
  }
  function pipCount(board) {
    return board.reduce((sum, count, place) => (count > 0 ? [sum[0] + place * count, sum[1]] : [sum[0], sum[1] - (BAR - place) * count]), [0, 0]);
  }
  function borneOff(board, checkers) {
    const own = board.reduce((sum, count) => sum + Math.max(count, 0), 0), all = board.reduce((sum, count) => sum + count, 0);
    return [checkers - own, checkers - own + all];
  }
  const across = (x) => (mirrored ? WIDTH - x : x);
  function spot(own, index) {
    const level = Math.min(Math.max(index, 0), SHOWN - 1) * 2 * RADIUS, place = turned ? BAR - own : own;
    if (place === 0 || place === BAR) return [BAR_X + 23, CENTRE + (place ? -1 : 1) * (GAP / 2 + RADIUS + level)];
    const column = place <= 6 ? RIGHT + (6 - place) * POINT : place <= 12 ? LEFT + (12 - place) * POINT :
      place <= 18 ? LEFT + (place - 13) * POINT : RIGHT + (place - 19) * POINT;
    return [across(column + POINT / 2), place <= 12 ? BOTTOM - RADIUS - 1 - level : TOP + RADIUS + 1 + level];
  }
  function labels(board, away, names) {
    const pips = pipCount(board);
    return '<g font-size="16" font-weight="600" fill="currentColor" class="board-text">' + [[turned ? 0 : 1, STRIP - 9], [turned ? 1 : 0, HEIGHT - 9]].map((line) => {
      const letters = Array.from(names[line[0]]), name = letters.length <= 30 ? names[line[0]] : letters.slice(0, 29).join('') + '\u2026';
      const said = [name, away ? away[line[0]] + '-away' : ''].filter(Boolean).join(', ');
      return `<text x="2" y="${line[1]}">${escaped(said)}</text><text x="${WIDTH - 2}" y="${line[1]}" text-anchor="end">${say('board.pips', { n: pips[line[0]] })}</text>`;
    }).join('') + '</g>';
  }
  function stack(place, count, ink) {
    const spots = range(Math.min(count, SHOWN)).map((index) => spot(place, index)), last = spots[spots.length - 1];
    return `<g data-point="${place}" data-count="${count}">` + spots.map((one) => `<circle cx="${one[0]}" cy="${one[1]}" r="18"/>`).join('') +
      (count > SHOWN ? `<text x="${last[0]}" y="${last[1] + 6}" fill="${ink}" stroke="none" font-size="17" font-weight="700" text-anchor="middle">${count}</text>` : '') + '</g>';
  }
  function stacks(board) {
    return ['own', 'other'].map((name, side) => {
      const found = board.map((count, place) => (count && (count < 0) === Boolean(side) ? stack(place, Math.abs(count), inks[1 - side]) : '')).join('');
      return found && `<g fill="${inks[side]}" stroke="${inks[1 - side]}" stroke-width="1.5" class="${name}">${found}</g>`;
    }).join('');
  }
  function trays(board, checkers) {
    return borneOff(board, checkers).map((count, side) => {
      const bars = range(count).map((index) => `<rect x="${across(TRAY + MARGIN / 2) - 18}" y="${(side === 1) !== turned ? TOP + 1.5 + index * 12.5 : BOTTOM - 12 - index * 12.5}" width="36" height="10.5" rx="2"/>`);
      return bars.length ? `<g fill="${inks[side]}" stroke="${inks[1 - side]}" stroke-width="0.8" data-off="${count}">${bars.join('')}</g>` : '';
    }).join('');
  }
  const box = (x, y, size, round, fill, edge) => `<rect x="${x - size / 2}" y="${y - size / 2}" width="${size}" height="${size}" rx="${round}" fill="${fill}" stroke="${edge}" stroke-width="1.5"/>`;
  function cubeBox(value, owner, offered) {
    const number = offered ? 2 * value : value === 1 && !owner ? 64 : value, x = across(offered ? LEFT + 3 * POINT : MARGIN / 2);
    const y = offered || !owner ? CENTRE : (owner > 0) !== turned ? BOTTOM - 23 : TOP + 23;
    return `<g class="cube">${box(x, y, 38, 6, '#f6efe2', DARK)}<text x="${x}" y="${y + 6.5}" font-size="${number < 100 ? 19 : number < 1000 ? 15 : 12}" ` +
      `font-weight="700" text-anchor="middle" fill="${DARK}">${number}</text></g>`;
  }
  function dieBox(die, x) {
    return `<g class="die">${box(x, CENTRE, 36, 7, inks[0], inks[1])}` + Array.from(PIPS[die], (pip) =>
      `<circle cx="${x + 10 * (Math.floor(pip / 3) - 1)}" cy="${CENTRE + 10 * (pip % 3 - 1)}" r="3.6" fill="${inks[1]}"/>`).join('') + '</g>';
  }
  function routes(board, play) {
    const ways = [];
    Notation.sorted(play).forEach((step) => {
      const way = ways.find((one) => one[one.length - 1] === step[0]);
      if (!way) ways.push(step.slice());
      else if (step[0] > 0 && step[0] < BAR && board[step[0]] === -1) way.push(step[1]);
      else way[way.length - 1] = step[1];
    });
    return ways;
  }
  function arrow(start, end) {
    let bendX = (start[0] + end[0]) / 2, bendY = (start[1] + end[1]) / 2;
    if ((start[1] > CENTRE) === (end[1] > CENTRE)) bendY += (start[1] > CENTRE ? -1 : 1) * (18 + 0.3 * Math.abs(end[0] - start[0]));
    const angle = Math.atan2(end[1] - bendY, end[0] - bendX), back = [end[0] - 13 * Math.cos(angle), end[1] - 13 * Math.sin(angle)];
    const at = (x, y) => `${whole(x)} ${whole(y)}`;
    const sides = [1, -1].map((turn) => at(back[0] - turn * 8 * Math.sin(angle), back[1] + turn * 8 * Math.cos(angle)));
    return [`M${at(start[0], start[1])}Q${at(bendX, bendY)} ${at(back[0], back[1])}`, `M${at(end[0], end[1])}L${sides[0]}L${sides[1]}Z`];
  }
  const colour = (style) => `var(--arrow-${STYLES[style][0]})`;
  const ink = (style) => `stroke="${colour(style)}"` + (STYLES[style][1] ? ` stroke-dasharray="${STYLES[style][1]}"` : '');
  function arrows(board, style, play, shift) {
    const left = {}, come = {};
    let path = '', heads = '';
    routes(board, play).forEach((way) => {
      let here = spot(way[0], Math.max(board[way[0]] || 0, 1) - 1 - (left[way[0]] || 0));
      left[way[0]] = (left[way[0]] || 0) + 1;
      way.slice(1).forEach((place) => {
        const index = come[place] || 0;
        const there = place <= 0 ? [across(TRAY + MARGIN / 2), (turned ? TOP : BOTTOM - HIGH) + HIGH / 2 + 14 * index] : spot(place, Math.max(board[place], 0) + index);
        come[place] = index + 1;
        const drawn = arrow([here[0] + shift, here[1]], [there[0] + shift, there[1]]);
        path += drawn[0];
        heads += drawn[1];
        here = there;
      });
    });
    const start = `<path d="${path}" `, end = ' fill="none" stroke-linecap="round"/>';
    return path && `<g class="arrow ${style}">${start}stroke="#fff" stroke-opacity="0.85" stroke-width="8"${end}${start}${ink(style)} stroke-width="4"${end}` +
      `<path d="${heads}" fill="${colour(style)}" stroke="#fff" stroke-width="1.5"/></g>`;
  }
  function describe(one) {
    const board = one.counts, off = borneOff(board, one.checkers), pips = pipCount(board), own = [], other = [];
    board.forEach((count, place) => {
      const on = (number, bar) => (bar ? say('board.on-bar', { number }) : say('board.on-point', { number, point: place }));
      if (count > 0) own.unshift(on(count, place === BAR));
      if (count < 0) other.push(on(-count, !place));
    });
    const places = (index, found) => [...(found.length ? found : [say('board.none')]), ...(off[index] > 0 ? [say('board.off', { number: off[index] })] : [])].join(', ');
    const cube = { cube: one.cube };
    return [
      say('board.decider', { n: pips[0], places: places(0, own) }), say('board.opponent', { n: pips[1], places: places(1, other) }),
      one.owner > 0 ? say('board.cube-own', cube) : one.owner ? say('board.cube-other', cube) : say('board.cube-middle', cube),
      one.offered && say('board.offered', { to: 2 * one.cube }), one.away && say('board.needs', { own: one.away[0], other: one.away[1] }),
      one.dice[0] && say('board.dice', { one: one.dice[0], two: one.dice[1] })
    ].filter(Boolean).join(' ');
  }

  function numbers() {
    return '<g font-size="12" text-anchor="middle" fill="#f6efe2">' + range(24).map((index) => {
      const at = spot(index + 1, 0);
      return `<text x="${at[0]}" y="${at[1] > CENTRE ? BOTTOM + 14 : TOP - 6}">${index + 1}</text>`;
    }).join('') + '</g>';
  }
  // Where checkers can be taken from or put down: [place, class].
  function taps(places) {
    return places.map((tap) => {
      const at = spot(tap[0], 0), off = !tap[0], low = off ? !turned : tap[0] === BAR ? turned : at[1] > CENTRE;
      const x = off ? across(TRAY + MARGIN / 2) - 20 : at[0] - POINT / 2, y = tap[0] === BAR ? (low ? CENTRE : TOP) : low ? BOTTOM - HIGH : TOP;
      return `<rect x="${x}" y="${y}" width="40" height="${HIGH}" rx="4" class="tap ${tap[1]}" data-tap="${tap[0]}"/>`;
    }).join('');
  }

  // Of a situation; plays drawn are [style, play], `above` turns the board so that the decider is above.
  function svg(one, drawn, key, name, above, tapped) {
    const shift = (drawn.length - 1) / 2, counts = one.counts, dice = across((above ? LEFT : RIGHT) + 3 * POINT);
    inks = one.light ? LIGHT_AND_DARK : [LIGHT_AND_DARK[1], LIGHT_AND_DARK[0]];
    turned = Boolean(above);
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${key}-t ${key}-d" class="board">` +
      `<title id="${key}-t">${escaped(name)}</title><desc id="${key}-d">${escaped(describe(one))}</desc><use href="#board-surface"${mirrored ? ` transform="matrix(-1 0 0 1 ${WIDTH} 0)"` : ''}/>` +
      (turned || mirrored ? numbers() : '<use href="#board-numbers"/>') + labels(counts, one.away, one.names) + stacks(counts) + trays(counts, one.checkers) + cubeBox(one.cube, one.owner, one.offered) +
      (one.dice[0] ? dieBox(one.dice[0], dice - 24) + dieBox(one.dice[1], dice + 24) : '') +
      drawn.map((play, index) => arrows(counts, play[0], play[1], (index - shift) * 8)).join('') + taps(tapped || []) + '</svg>';
  }

  return { svg: svg, ink, mirror: (is) => { mirrored = is; }, pipCount: pipCount, style: (side) => SIDES[side % SIDES.length] };
})();
