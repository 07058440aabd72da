// Every decision of the match, one at a time: chosen by keys, by filters, or by the address.
(function () {
  const section = document.getElementById('browse');
  if (!section) return;
  const data = JSON.parse(document.getElementById('decisions-data').textContent);
  const form = section.querySelector('form');
  const card = section.querySelector('.card');
  const count = data.game.length;
  const PLAY = 0, TAKE = 3, BEAVER = 5;

  function element(name, attributes) {
    const made = document.createElement(name);
    Object.keys(attributes || {}).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    Array.from(arguments).slice(2).forEach(function (child) { if (child !== null && child !== '') made.append(child); });
    return made;
  }
  function number(thousandths, signed) {
    if (thousandths === null) return '\u2013';
    const text = (Math.abs(thousandths) / 1000).toFixed(3);
    return (thousandths < 0 ? '\u2212' : signed && thousandths > 0 ? '+' : '') + text;
  }

  // Where decisions are: g3t47 is the play, g3t47-double another decision of that turn.
  const keys = [], places = new Map();
  for (let at = 0; at < count; at += 1) {
    if (at && !data.position[at] && data.kind[at] <= BEAVER) data.position[at] = data.position[at - 1];
    const turn = 'g' + data.game[at] + 't' + data.turn[at], word = data.kinds[data.kind[at]][0];
    let key = data.kind[at] === PLAY ? turn : turn + '-' + word;
    for (let again = 2; keys.includes(key, Math.max(at - 12, 0)); again += 1) key = turn + '-' + word + '-' + again;
    keys.push(key);
    places.set(key, at);
    if (data.kind[at] === PLAY) places.set(turn + '-play', at);
    else if (!places.has(turn)) places.set(turn, at);
  }
  function address(game, turn, kind) {
    const turnKey = 'g' + game + 't' + turn;
    const key = kind && places.has(turnKey + '-' + kind) ? turnKey + '-' + kind : turnKey;
    return places.has(key) ? '#' + keys[places.get(key)] : null;
  }
  const reasons = new Map();
  data.reasons.forEach(function (one) {
    reasons.set(one[0], (reasons.get(one[0]) || []).concat([one]));
  });

  function situation(at) {
    const seat = data.player[at], game = data.games[data.game[at]] || [0, 0, 0], kind = data.kind[at];
    const score = seat ? [game[1], game[0]] : [game[0], game[1]];
    return {
      counts: Notation.board(data.position[at]), dice: [Math.floor(data.dice[at] / 10), data.dice[at] % 10], cube: data.cube[at],
      owner: data.owner[at], offered: kind >= TAKE && kind <= BEAVER, top: data.top[at], length: data.length, rules: data.rules,
      crawford: game[2], score: data.length ? score : [0, 0], checkers: data.checkers,
      away: data.length ? score.map(function (points) { return data.length - points; }) : null,
      names: [data.players[seat], data.players[1 - seat]]
    };
  }
  function done(at, one) {
    if (data.kind[at] !== PLAY) return data.kinds[data.kind[at]][1];
    const roll = one.dice.slice().sort().reverse().join('');
    return roll + ': ' + (data.play[at] === null ? 'not played, the game had ended' : Notation.play(one.counts, Notation.steps(data.play[at])));
  }

  // The play made and what each tool thinks best where that is another play.
  function lines(at, one) {
    const wanted = [['played', 'played', data.play[at]]], found = [];
    data.sides.forEach(function (side, index) {
      const best = side.options[at].find(function (option) { return option[1] !== null; });
      wanted.push([Board.style(index), 'best for ' + side.label, best ? best[0] : null]);
    });
    wanted.forEach(function (line) {
      if (line[2] === null) return;
      const play = Notation.steps(line[2]), text = Notation.play(one.counts, play);
      const same = found.find(function (other) {
        return other.text === text || Notation.sorted(other.play).join() === Notation.sorted(play).join();
      });
      if (same) same.labels.push(line[1]);
      else found.push({ style: line[0], labels: [line[1]], text: text, play: play });
    });
    return found;
  }
  function whose(labels) {
    if (labels.length <= 2) return labels.join(' and ');
    const best = labels.filter(function (label) { return label !== 'played'; }).map(function (label) { return label.slice('best for '.length); });
    return (labels[0] === 'played' ? 'played, ' : '') + 'best for ' + best.slice(0, -1).join(', ') + ' and ' + best[best.length - 1];
  }
  function legend(drawn) {
    return element.apply(null, ['ul', { 'class': 'legend' }].concat(drawn.map(function (line) {
      const sample = new DOMParser().parseFromString('<svg xmlns="http://www.w3.org/2000/svg" class="sample ' + line.style +
        '" viewBox="0 0 34 10" aria-hidden="true"><path d="M1 5h32"/></svg>', 'image/svg+xml').documentElement;
      return element('li', {}, sample, element('span', {}, element('b', {}, line.text), ' ' + whose(line.labels)));
    })));
  }
  function identifiers(at, one) {
    const none = data.kind[at] > BEAVER || data.beaver[at];
    return element.apply(null, ['dl', { 'class': 'ids' }].concat([['XGID', Notation.xgid], ['GNU ID', Notation.gnubgId]].map(function (made) {
      const text = none ? '' : made[1](one);
      const copy = text && element('button', { type: 'button', 'class': 'copy', 'data-copy': text }, 'Copy',
        element('span', { 'class': 'unseen' }, ' the ' + made[0] + ' of this decision'));
      return element('div', {}, element('dt', {}, made[0]), element('dd', {}, element('code', {}, text || 'unknown'), copy));
    })));
  }

  function opinion(side, style, at, one) {
    const options = side.options[at], isPlay = data.kind[at] === PLAY, there = side.counted[at] !== '-', error = side.error[at];
    const levels = isPlay && options.length ? Array.from(new Set(options.map(function (option) { return option[3]; }))) : [side.level[at]];
    const level = levels.length === 1 ? side.levels[levels[0]] : '';
    const said = !there ? 'not in this file' : (side.counted[at] === '1' ? 'counts' : 'does not count') + ', error ' + number(error) +
      (level ? ', ' + level : '');
    const body = element('tbody');
    const table = element('table', {}, element('caption', {}, element('b', {}, side.label), ' ', element('span', {}, said)));
    if (options.length) {
      table.append(element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, 'Candidate'),
        element('th', { scope: 'col', 'class': 'num' }, 'Equity'), element('th', { scope: 'col', 'class': 'num' }, 'Diff.'))));
      options.forEach(function (option, index) {
        const made = isPlay ? option.length > 4 : option[3], rank = isPlay ? option[4] || index + 1 : null;
        const head = element('th', { scope: 'row' }, rank && element('span', { 'class': 'rank' }, String(rank)),
          isPlay ? Notation.play(one.counts, Notation.steps(option[0])) : option[0],
          levels.length > 1 ? element('small', { 'class': 'level' }, side.levels[option[3]]) : '',
          made ? element('span', { 'class': 'tag' }, 'played') : '');
        body.append(element('tr', made ? { 'class': 'made' } : {}, head, element('td', { 'class': 'num' }, number(option[1], true)),
          element('td', { 'class': 'num' }, option[2] === null ? '' : number(option[2], true))));
      });
    } else {
      body.append(element('tr', {}, element('td', { 'class': 'quiet' }, !there ? 'This file has no such decision.' :
        error === null ? 'Not analysed.' : 'The file holds no candidates of this decision.')));
    }
    table.append(body);
    const box = element('div', { 'class': 'opinion ' + style }, element('div', { 'class': 'scroll' }, table));
    const notes = isPlay ? orderNote(options) : options.length ? [form.dataset.cubeView] : [];
    if (side.more[at]) notes.push(side.more[at] + ' more in the file.');
    notes.forEach(function (note) { box.append(element('p', { 'class': 'quiet more' }, note)); });
    return box;
  }
  function orderNote(options) {
    const known = options.filter(function (option) { return option[1] !== null; }), turned = [];
    for (let at = 1; at < known.length; at += 1) if (known[at - 1][1] < known[at][1]) turned.push(known[at - 1][3] !== known[at][3]);
    return turned.length ? [turned.every(Boolean) ? form.dataset.byLevel : form.dataset.byFile] : [];
  }
  function why(at) {
    const list = element('ul', { 'class': 'reasons' });
    (reasons.get(at) || []).forEach(function (one) {
      const step = data.steps[one[2]];
      list.append(element('li', {}, element('span', { 'class': 'change' }, one[3]), element('span', {},
        element('b', {}, data.causes[one[1]][1]), ' ', element('a', { 'class': 'code', href: '#' + step[1] }, step[0]))));
    });
    return list.children.length ? [element('p', { 'class': 'quiet' }, 'Its share of the gap of ' + data.metric + ':'), list] : [];
  }

  function draw(at) {
    const one = situation(at), title = 'Game ' + data.game[at] + ', turn ' + data.turn[at] + ': ' + one.names[0], what = done(at, one);
    const board = element('div', { 'class': 'board-side' });
    if (data.kind[at] <= BEAVER) {
      const drawn = data.kind[at] === PLAY ? lines(at, one) : [];
      const name = one.names[0] + ' to decide in game ' + data.game[at] + ', turn ' + data.turn[at] + ': ' + what;
      const svg = Board.svg(one, drawn.map(function (line) { return [line.style, line.play]; }), 'browsed-board', name);
      board.append(new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement);
      if (drawn.length) board.append(legend(drawn));
    }
    board.append(identifiers(at, one));
    const opinions = element('div', { 'class': 'opinions' });
    data.sides.forEach(function (side, index) { opinions.append(opinion(side, Board.style(index), at, one)); });
    const words = element('div', { 'class': 'word-side' });
    words.append.apply(words, why(at).concat([opinions]));
    const where = one.away ? one.away[0] + '-away, ' + one.away[1] + '-away' + (one.crawford ? ', Crawford' : '') : 'money';
    card.replaceChildren(
      element('header', {}, element('h3', { id: 'browsed-h', tabindex: '-1' }, title),
        element('p', { 'class': 'what' }, element('b', {}, what), ' at ' + where),
        element('p', { 'class': 'moves' }, element('a', { href: '#' + keys[at] }, 'Link to this decision'))),
      element('div', { 'class': 'card-body' }, board, words));
  }

  // What is chosen, and where in it we are.
  let chosen = [], now = -1;
  const buttons = section.querySelectorAll('.turner button'), said = section.querySelector('.turner output');
  const missing = section.querySelector('.missing');
  function differs(at) {
    if (data.sides.length < 2) return false;
    const one = data.sides[0];
    return data.sides.slice(1).some(function (two) {
      return one.counted[at] !== two.counted[at] || (one.error[at] || 0) !== (two.error[at] || 0);
    });
  }
  function blunder(at) {
    return data.sides.some(function (side) { return side.blunder[at] === '1'; });
  }
  function choose() {
    const want = form.elements;
    chosen = Array.from({ length: count }, function (_, at) { return at; }).filter(function (at) {
      return (want.show.value !== 'differ' || differs(at)) && (want.show.value !== 'blunder' || blunder(at)) &&
        (want.show.value !== 'dispute' || data.disputed.includes(at)) &&
        (!want.player.value || data.player[at] === Number(want.player.value)) &&
        (!want.game.value || data.game[at] === Number(want.game.value)) &&
        (!want.kind.value || data.kind[at] === Number(want.kind.value)) &&
        (!want.cause || !want.cause.value || (reasons.get(at) || []).some(function (one) { return one[1] === Number(want.cause.value); }));
    });
  }
  function show(at, named) {
    now = at;
    missing.hidden = true;
    const index = chosen.indexOf(at);
    buttons[0].disabled = index <= 0;
    buttons[1].disabled = index < 0 || index === chosen.length - 1;
    said.textContent = at < 0 ? 'No decision fits' : index + 1 + ' of ' + chosen.length;
    card.hidden = at < 0;
    if (at < 0) return;
    draw(at);
    if (named) history.replaceState(null, '', '#' + keys[at]);
  }
  function turn(by) {
    const next = chosen[chosen.indexOf(now) + by];
    if (next !== undefined) show(next, true);
  }
  function rechoose() {
    choose();
    show(chosen.includes(now) ? now : chosen.length ? chosen[0] : -1, true);
  }
  buttons[0].addEventListener('click', function () { turn(-1); });
  buttons[1].addEventListener('click', function () { turn(1); });
  form.addEventListener('input', rechoose);
  form.addEventListener('submit', function (event) { event.preventDefault(); });
  form.addEventListener('reset', function () { setTimeout(rechoose); });
  addEventListener('keydown', function (event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const box = section.getBoundingClientRect(), inside = section.contains(event.target);
    if (event.target.closest('input, select, textarea') || (!inside && event.target.closest('.scroll'))) return;
    if (!inside && (box.bottom < 0 || box.top > innerHeight)) return;
    event.preventDefault();
    turn(by);
  });

  function option(select, value, label) { select.append(element('option', { value: value }, label)); }
  function distinct(column) { return Array.from(new Set(data[column])).sort(function (one, other) { return one - other; }); }
  data.players.forEach(function (name, seat) { option(form.elements.player, seat, name); });
  distinct('game').forEach(function (game) { option(form.elements.game, game, game); });
  distinct('kind').forEach(function (kind) { option(form.elements.kind, kind, data.kinds[kind][1]); });
  if (form.elements.cause) data.causes.forEach(function (cause, index) { option(form.elements.cause, index, cause[1]); });

  // An address is a link to a decision; so is every place named in the page.
  function open() {
    const place = location.hash.slice(1), at = places.get(place), named = /^g(\d{1,9})t(\d{1,9})(-[a-z0-9-]{1,30})?$/.exec(place);
    missing.hidden = at !== undefined || !named;
    if (!missing.hidden) {
      missing.textContent = 'No such decision on this page: game ' + named[1] + ', turn ' + named[2] + (named[3] || '').replace('-', ', ');
      section.scrollIntoView();
    }
    if (at === undefined) return;
    if (!chosen.includes(at)) { form.reset(); choose(); }
    show(at, false);
    section.scrollIntoView();
    document.getElementById('browsed-h').focus({ preventScroll: true });
  }
  function linked(node) {
    const parts = node.data.split(/(game \d+,? turn \d+)/i);
    const made = parts.map(function (part) {
      const found = /^game (\d+),? turn (\d+)$/i.exec(part);
      const href = found && address(found[1], found[2]);
      return href ? element('a', { href: href }, part) : part;
    });
    if (made.some(function (part) { return typeof part !== 'string'; })) node.replaceWith.apply(node, made);
  }
  const plain = 'a, button, summary, code, select, table, svg, script, style, #browse', texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, function (node) {
    return node.nodeType === Node.ELEMENT_NODE && node.matches(plain) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
  });
  while (walker.nextNode()) {
    if (walker.currentNode.nodeType === Node.TEXT_NODE && /game \d+,? turn \d+/i.test(walker.currentNode.data)) texts.push(walker.currentNode);
  }
  texts.forEach(linked);
  document.querySelectorAll('table.ledger tbody tr').forEach(function (row) {
    const cell = row.cells[4], href = address(row.cells[1].textContent, row.cells[2].textContent, row.cells[3].textContent);
    if (!href) return;
    const link = cell.querySelector('a') || element('a', {});
    if (!link.parentElement && cell.firstChild) { cell.firstChild.before(link); link.append(link.nextSibling); }
    link.href = href;
  });

  document.querySelectorAll('[data-decision]').forEach(function (cell) {
    if (!places.has(cell.dataset.decision)) return;
    const link = element('a', { href: '#' + keys[places.get(cell.dataset.decision)] });
    link.append.apply(link, Array.from(cell.childNodes));
    cell.append(link);
  });

  section.hidden = false;
  document.querySelectorAll('a[href="#browse"]').forEach(function (link) { link.parentElement.hidden = false; });
  choose();
  show(chosen.length ? chosen[0] : -1, false);
  addEventListener('hashchange', open);
  open();
}());
