// The board as SVG text, line for line what reconcile/report/html/board.py draws where the surface is shared; see there for what the numbers mean.
const Board = (function () {
  const POINT = 40, HIGH = 192, RADIUS = 18.5, SHOWN = 5, MARGIN = 56, MIDDLE = 46, STRIP = 30, NUMBERS = 20, GAP = 52, BAR = 25;
  const TOP = STRIP + NUMBERS, BOTTOM = TOP + 2 * HIGH + GAP, CENTRE = TOP + HIGH + GAP / 2, LEFT = MARGIN, BAR_X = LEFT + 6 * POINT;
  const RIGHT = BAR_X + MIDDLE, TRAY = RIGHT + 6 * POINT, WIDTH = TRAY + MARGIN, HEIGHT = BOTTOM + NUMBERS + STRIP;
  const OWN = 'var(--board-own,#fffdf7)', OTHER = 'var(--board-other,#2b2724)', INK = '#2b2724', PALE = '#f6efe2';
  const PIPS = {
    1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]], 4: [[-1, -1], [-1, 1], [1, -1], [1, 1]],
    5: [[-1, -1], [-1, 1], [0, 0], [1, -1], [1, 1]], 6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]]
  };
  const STYLES = {
    played: ['var(--arrow-played,#b0123b)'], left: ['var(--arrow-left,#1b57b0)', '9 5'], right: ['var(--arrow-right,#0b6b4f)', '2 5'],
    third: ['var(--arrow-third,#6d28a8)', '12 4 2 4'], fourth: ['var(--arrow-fourth,#00696b)', '6 3'],
    fifth: ['var(--arrow-fifth,#a8146b)', '16 4'], sixth: ['var(--arrow-sixth,#5a6600)', '2 3 8 3']
  };
  const SIDES = Object.keys(STYLES).slice(1);

  function escaped(text) {
    return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;').replace(/'/g, '&#x27;');
  }
  function shown(value) { return value.toFixed(1).replace(/\.0$/, '').replace(/^-0$/, '0'); }
  function tag(name, attributes, content) {
    let opening = '<' + name;
    Object.keys(attributes).forEach(function (key) {
      const value = attributes[key];
      if (value !== undefined) opening += ' ' + key + '="' + escaped(typeof value === 'string' ? value : shown(value)) + '"';
    });
    return content !== undefined ? opening + '>' + content + '</' + name + '>' : opening + '/>';
  }
  function text(content, x, y, attributes) { return tag('text', Object.assign({ x: x, y: y }, attributes), escaped(content)); }
  function range(count) { return Array.from({ length: count }, (_, index) => index); }
  // Rounded as Python rounds: a half goes to the even number.
  function whole(value) {
    const low = Math.floor(value);
    return value - low === 0.5 ? low + Math.abs(low % 2) : Math.round(value);
  }

  function pipCount(board) {
    return board.reduce(function (sum, count, place) {
      return count > 0 ? [sum[0] + place * count, sum[1]] : [sum[0], sum[1] - (BAR - place) * count];
    }, [0, 0]);
  }
  function borneOff(board, checkers) {
    const own = board.reduce((sum, count) => sum + Math.max(count, 0), 0);
    const all = board.reduce((sum, count) => sum + count, 0);
    return [checkers - own, checkers - own + all];
  }

  function xOf(place) {
    const column = place <= 6 ? RIGHT + (6 - place) * POINT : place <= 12 ? LEFT + (12 - place) * POINT :
      place <= 18 ? LEFT + (place - 13) * POINT : RIGHT + (place - 19) * POINT;
    return column + POINT / 2;
  }
  function spot(place, index) {
    const level = Math.min(Math.max(index, 0), SHOWN - 1) * 2 * RADIUS;
    if (place === 0 || place === BAR) return [BAR_X + MIDDLE / 2, CENTRE + (place === BAR ? -1 : 1) * (GAP / 2 + RADIUS + level)];
    return [xOf(place), place <= 12 ? BOTTOM - RADIUS - 1 - level : TOP + RADIUS + 1 + level];
  }

  function labels(board, away, names) {
    const pips = pipCount(board);
    const lines = [[1, STRIP - 9], [0, HEIGHT - 9]].map(function (line) {
      const letters = Array.from(names[line[0]]);
      const name = letters.length <= 30 ? names[line[0]] : letters.slice(0, 29).join('') + '\u2026';
      const score = away ? away[line[0]] + '-away' : '';
      return text([name, score].filter(Boolean).join(', '), 2, line[1]) +
        text(pips[line[0]] + ' pips', WIDTH - 2, line[1], { 'text-anchor': 'end' });
    });
    return tag('g', { 'font-size': '16', 'font-weight': '600', fill: 'currentColor', 'class': 'board-text' }, lines.join(''));
  }

  function stack(place, count, ink) {
    const spots = range(Math.min(count, SHOWN)).map((index) => spot(place, index));
    let circles = spots.map((one) => tag('circle', { cx: one[0], cy: one[1], r: RADIUS - 0.5 })).join('');
    if (count > SHOWN) {
      const last = spots[spots.length - 1];
      circles += text(String(count), last[0], last[1] + 6, {
        fill: ink, stroke: 'none', 'font-size': '17', 'font-weight': '700', 'text-anchor': 'middle'
      });
    }
    return tag('g', { 'data-point': String(place), 'data-count': String(count) }, circles);
  }
  function stacks(board) {
    return [[true, OWN, OTHER], [false, OTHER, OWN]].map(function (side) {
      const found = board.map(function (count, place) {
        return count && (count > 0) === side[0] ? stack(place, Math.abs(count), side[2]) : '';
      }).join('');
      return found && tag('g', { fill: side[1], stroke: side[2], 'stroke-width': '1.5', 'class': side[0] ? 'own' : 'other' }, found);
    }).join('');
  }
  function trays(board, checkers) {
    return borneOff(board, checkers).map(function (count, side) {
      const first = side ? TOP + 1.5 : BOTTOM - 12, up = side ? 1 : -1;
      const bars = range(Math.max(count, 0)).map(function (index) {
        return tag('rect', { x: TRAY + 10, y: first + up * index * 12.5, width: MARGIN - 20, height: 10.5, rx: 2 });
      }).join('');
      return bars && tag('g', {
        fill: side ? OTHER : OWN, stroke: side ? OWN : OTHER, 'stroke-width': '0.8', 'data-off': String(count)
      }, bars);
    }).join('');
  }
  function cubeBox(value, owner, offered) {
    const size = 38, number = offered ? 2 * value : value === 1 && owner === 0 ? 64 : value;
    const x = offered ? LEFT + 3 * POINT : MARGIN / 2;
    const y = offered || owner === 0 ? CENTRE : owner > 0 ? BOTTOM - size / 2 - 4 : TOP + size / 2 + 4;
    const box = tag('rect', {
      x: x - size / 2, y: y - size / 2, width: size, height: size, rx: 6, fill: PALE, stroke: INK, 'stroke-width': '1.5'
    });
    const font = number < 100 ? '19' : number < 1000 ? '15' : '12';
    return tag('g', { 'class': 'cube' }, box + text(String(number), x, y + 6.5, {
      'font-size': font, 'font-weight': '700', 'text-anchor': 'middle', fill: INK
    }));
  }
  function dieBox(die, x) {
    const size = 36;
    const box = tag('rect', {
      x: x - size / 2, y: CENTRE - size / 2, width: size, height: size, rx: 7, fill: OWN, stroke: INK, 'stroke-width': '1.5'
    });
    return tag('g', { 'class': 'die' }, box + PIPS[die].map(function (pip) {
      return tag('circle', { cx: x + 10 * pip[0], cy: CENTRE + 10 * pip[1], r: 3.6, fill: INK });
    }).join(''));
  }

  function routes(board, play) {
    const ways = [];
    Notation.sorted(play).forEach(function (step) {
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
    const angle = Math.atan2(end[1] - bendY, end[0] - bendX);
    const back = [end[0] - 13 * Math.cos(angle), end[1] - 13 * Math.sin(angle)];
    const sides = [1, -1].map(function (turn) {
      return whole(back[0] - turn * 8 * Math.sin(angle)) + ' ' + whole(back[1] + turn * 8 * Math.cos(angle));
    });
    return [
      'M' + whole(start[0]) + ' ' + whole(start[1]) + 'Q' + whole(bendX) + ' ' + whole(bendY) + ' ' + whole(back[0]) + ' ' + whole(back[1]),
      'M' + whole(end[0]) + ' ' + whole(end[1]) + 'L' + sides[0] + 'L' + sides[1] + 'Z'
    ];
  }
  function arrows(board, style, play, shift) {
    const left = {}, come = {};
    let path = '', heads = '';
    routes(board, play).forEach(function (way) {
      let here = spot(way[0], Math.max(board[way[0]] || 0, 1) - 1 - (left[way[0]] || 0));
      left[way[0]] = (left[way[0]] || 0) + 1;
      way.slice(1).forEach(function (place) {
        const index = come[place] || 0;
        const there = place <= 0 ? [TRAY + MARGIN / 2, BOTTOM - HIGH / 2 + 14 * index] : spot(place, Math.max(board[place], 0) + index);
        come[place] = index + 1;
        const drawn = arrow([here[0] + shift, here[1]], [there[0] + shift, there[1]]);
        path += drawn[0];
        heads += drawn[1];
        here = there;
      });
    });
    if (!path) return '';
    const shape = { fill: 'none', 'stroke-linecap': 'round' };
    return tag('g', { 'class': 'arrow ' + style },
      tag('path', Object.assign({ d: path, stroke: '#fff', 'stroke-opacity': '0.85', 'stroke-width': '8' }, shape)) +
      tag('path', Object.assign({ d: path, stroke: STYLES[style][0], 'stroke-width': '4', 'stroke-dasharray': STYLES[style][1] }, shape)) +
      tag('path', { d: heads, fill: STYLES[style][0], stroke: '#fff', 'stroke-width': '1.5' }));
  }

  function describe(one) {
    const board = one.counts, off = borneOff(board, one.checkers), pips = pipCount(board);
    const own = [], other = [];
    board.forEach(function (count, place) {
      if (count > 0) own.unshift(count + ' on ' + (place === BAR ? 'the bar' : place));
      if (count < 0) other.push(-count + ' on ' + (place === 0 ? 'the bar' : place));
    });
    function side(name, index, places) {
      return name + ', ' + pips[index] + ' pips: ' + (places.join(', ') || 'no checkers') + (off[index] > 0 ? ', ' + off[index] + ' off' : '');
    }
    const held = one.owner > 0 ? "the decider's" : one.owner ? "the opponent's" : 'in the middle';
    const parts = [
      side('Decider', 0, own), side('Opponent', 1, other),
      'Cube at ' + one.cube + ', ' + held + (one.offered ? ', a double to ' + 2 * one.cube + ' is offered' : '')
    ];
    if (one.away) parts.push('The decider needs ' + one.away[0] + ', the opponent ' + one.away[1]);
    if (one.dice[0]) parts.push('Dice ' + one.dice[0] + ' and ' + one.dice[1]);
    return parts.join('. ') + '.';
  }

  // A situation as for an identifier, with away and names (decider first); arrows are [style, play]; key makes ids unique.
  function svg(one, drawn, key, name) {
    const shift = (drawn.length - 1) / 2;
    return tag('svg', {
      xmlns: 'http://www.w3.org/2000/svg', viewBox: '0 0 ' + shown(WIDTH) + ' ' + shown(HEIGHT), role: 'img',
      'aria-labelledby': key + '-t ' + key + '-d', 'class': 'board'
    }, tag('title', { id: key + '-t' }, escaped(name)) + tag('desc', { id: key + '-d' }, escaped(describe(one))) + tag('use', { href: '#board-surface' }) +
      labels(one.counts, one.away, one.names) + stacks(one.counts) + trays(one.counts, one.checkers) + cubeBox(one.cube, one.owner, one.offered) +
      (one.dice[0] ? dieBox(one.dice[0], RIGHT + 3 * POINT - 24) + dieBox(one.dice[1], RIGHT + 3 * POINT + 24) : '') +
      drawn.map((play, index) => arrows(one.counts, play[0], play[1], (index - shift) * 8)).join(''));
  }

  return { svg: svg, style: (side) => SIDES[side % SIDES.length] };
}());
