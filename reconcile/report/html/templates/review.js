// The page of a match: one decision is shown, and keys, rows, links, the curve and the address all lead to it.
const Review = (() => {
  const byId = (name) => document.getElementById(name), html = document.documentElement, box = byId('decision'), source = byId('decisions-data');
  if (!source) { html.dataset.state = 'ready'; return null; }
  const data = JSON.parse(source.textContent), count = data.game.length, PLAY = 0, TAKE = 3, BEAVER = 5;
  const rows = [...document.querySelectorAll('#decisions [data-decision]')], chips = document.querySelectorAll('[data-filter]');
  const form = byId('choose'), said = byId('chosen'), missing = byId('missing');
  const curve = document.querySelector('#curve > svg'), keys = byId('keys');
  const groups = {}, places = new Map(data.keys.map((key, at) => [key, at]));
  data.groups.forEach((group) => { groups[group[0]] = { says: group[1], has: new Set(group[2]) }; });
  data.position.forEach((text, at) => { if (at && !text && data.kind[at] <= BEAVER) data.position[at] = data.position[at - 1]; });

  const on = (what, name, act, how) => what.addEventListener(name, act, how);
  function make(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    children.forEach((child) => { if (child) made.append(child); });
    return made;
  }
  function number(value, signed) {
    if (value === null) return '\u2013';
    const text = (Math.abs(value) / 1000).toFixed(3);
    return (value < 0 ? '\u2212' : signed && value > 0 ? '+' : '') + text;
  }
  function situation(at) {
    const seat = data.player[at], game = data.games[data.game[at]] || [0, 0, 0], kind = data.kind[at];
    const score = seat ? [game[1], game[0]] : [game[0], game[1]];
    return {
      counts: Notation.board(data.position[at]), dice: [Math.floor(data.dice[at] / 10), data.dice[at] % 10], cube: data.cube[at],
      owner: data.owner[at], offered: kind >= TAKE && kind <= BEAVER, top: data.top[at], length: data.length, rules: data.rules,
      crawford: game[2], score: data.length ? score : [0, 0], checkers: data.checkers,
      away: data.length ? score.map((points) => data.length - points) : null, names: [data.players[seat], data.players[1 - seat]]
    };
  }
  function done(at, one) {
    if (data.kind[at] !== PLAY) return data.kinds[data.kind[at]][1];
    const roll = one.dice.slice().sort().reverse().join('');
    return roll + ': ' + (data.play[at] === null ? 'not played, the game had ended' : Notation.play(one.counts, Notation.steps(data.play[at])));
  }
  const identified = (at) => data.kind[at] <= BEAVER && !data.beaver[at];

  // The play made and what each tool thinks best where that is another play.
  function lines(at, one) {
    const wanted = [['played', 'played', data.play[at]]], found = [];
    data.sides.forEach((side, index) => {
      const best = side.options[at].find((option) => option[1] !== null);
      wanted.push([Board.style(index), 'best for ' + side.label, best ? best[0] : null]);
    });
    wanted.forEach((line) => {
      if (line[2] === null) return;
      const play = Notation.steps(line[2]), text = Notation.play(one.counts, play), sorted = Notation.sorted(play).join();
      const same = found.find((other) => other.text === text || Notation.sorted(other.play).join() === sorted);
      if (same) same.labels.push(line[1]);
      else found.push({ style: line[0], labels: [line[1]], text: text, play: play });
    });
    return found;
  }
  function whose(labels) {
    if (labels.length <= 2) return labels.join(' and ');
    const best = labels.filter((label) => label !== 'played').map((label) => label.slice('best for '.length));
    return (labels[0] === 'played' ? 'played, ' : '') + 'best for ' + best.slice(0, -1).join(', ') + ' and ' + best[best.length - 1];
  }
  function legend(drawn) {
    const list = make('ul', { class: 'legend' });
    drawn.forEach((line) => {
      const item = make('li');
      item.innerHTML = '<svg class="sample ' + line.style + '" viewBox="0 0 34 10" aria-hidden="true"><path d="M1 5h32"/></svg>';
      item.append(make('span', {}, make('b', {}, line.text), ' ' + whose(line.labels)));
      list.append(item);
    });
    return list;
  }
  function identifiers(at, one) {
    const list = make('dl', { class: 'ids' });
    [['XGID', identified(at) && Notation.xgid(one)], ['GNU ID', data.ids[at]]].forEach((made) => {
      const copy = made[1] && make('button', { type: 'button', class: 'copy', 'data-copy': made[1] }, 'Copy',
        make('span', { class: 'unseen' }, ' the ' + made[0] + ' of this decision'));
      list.append(make('div', {}, make('dt', {}, made[0]), make('dd', {}, make('code', {}, made[1] || 'unknown'), copy || '')));
    });
    return list;
  }
  function opinion(side, style, at, one) {
    const options = side.options[at], isPlay = data.kind[at] === PLAY, there = side.counted[at] !== '-', error = side.error[at];
    const levels = isPlay && options.length ? [...new Set(options.map((option) => option[3]))] : [side.level[at]];
    const level = levels.length === 1 ? side.levels[levels[0]] : '';
    const text = !there ? 'not in this file' : (side.counted[at] === '1' ? 'counts' : 'does not count') + ', error ' + number(error) +
      (level ? ', ' + level : '');
    const body = make('tbody'), heads = make('tr'), notes = [];
    const table = make('table', {}, make('caption', {}, make('b', {}, side.label), ' ', make('span', {}, text)));
    if (options.length) {
      ['Candidate', 'Equity', 'Diff.'].forEach((head, index) => {
        heads.append(make('th', index ? { scope: 'col', class: 'num' } : { scope: 'col' }, head));
      });
      table.append(make('thead', {}, heads));
      options.forEach((option, index) => {
        const made = isPlay ? option.length > 4 : option[3], rank = isPlay ? option[4] || index + 1 : null;
        const head = make('th', { scope: 'row' }, rank && make('span', { class: 'rank' }, String(rank)),
          isPlay ? Notation.play(one.counts, Notation.steps(option[0])) : data.actions[option[0]],
          levels.length > 1 ? make('small', { class: 'level' }, side.levels[option[3]]) : '',
          made ? make('span', { class: 'tag' }, 'played') : '');
        body.append(make('tr', made ? { class: 'made' } : {}, head, make('td', { class: 'num' }, number(option[1], true)),
          make('td', { class: 'num' }, option[2] === null ? '' : number(option[2], true))));
      });
    } else {
      body.append(make('tr', {}, make('td', { class: 'quiet' }, !there ? 'This file has no such decision.' :
        error === null ? 'Not analysed.' : 'The file holds no candidates of this decision.')));
    }
    table.append(body);
    const made = make('div', { class: 'opinion ' + style }, make('div', { class: 'scroll' }, table));
    if (data.said[side.note[at]]) notes.push(data.said[side.note[at]]);
    if (side.more[at]) notes.push(side.more[at] + ' more in the file.');
    notes.forEach((note) => made.append(make('p', { class: 'quiet more' }, note)));
    return made;
  }
  // A decision with what was done and thought best; or only the question, which is asked in words and with something to choose.
  function draw(at, words, choices) {
    const one = situation(at), what = words || done(at, one), left = make('div', { class: 'board-side' });
    const drawn = data.kind[at] || words ? [] : lines(at, one);
    const place = `game ${data.game[at]}, turn ${data.turn[at]}`;
    if (data.kind[at] <= BEAVER) {
      left.innerHTML = Board.svg(one, drawn.map((line) => [line.style, line.play]), 'board-0', one.names[0] + ' to decide in ' + place + ': ' + what);
      if (drawn.length) left.append(legend(drawn));
    }
    left.append(identifiers(at, one));
    const where = one.away ? `${one.away[0]}-away, ${one.away[1]}-away` + (one.crawford ? ', Crawford' : '') : 'money';
    const says = words ? [] : data.groups.filter((group) => group[1] && groups[group[0]].has.has(at)).map((group) => group[1]);
    const opinions = choices || make('div', { class: 'opinions' });
    if (!words) data.sides.forEach((side, index) => opinions.append(opinion(side, Board.style(index), at, one)));
    box.replaceChildren(left, make('div', { class: 'word-side' },
      make('h2', { id: 'decision-h' }, place.replace('g', 'G') + ': ' + one.names[0]),
      make('p', { class: 'what' }, make('b', {}, what), ' at ' + where), says.length ? make('p', { class: 'says' }, says.join(' ')) : '', opinions));
    Object.assign(box.dataset, { game: data.game[at], turn: data.turn[at], kind: data.kinds[data.kind[at]][0], player: one.names[0] });
  }

  // The rows of the list that are no errors.
  const list = byId('decisions');
  data.rest.forEach((at) => {
    const one = situation(at), key = data.keys[at];
    const row = make('li', { id: key, 'data-decision': at }, make('a', { href: '#' + key }, data.game[at] + '.' + data.turn[at]),
      make('span', {}, data.called[data.player[at]]), make('span', {}, done(at, one)));
    data.sides.forEach((side) => row.append(make('i', {}, number(side.error[at]))));
    list.append(row);
    rows.push(row);
  });

  // One state: the decision shown, where in the list `n` goes on from, and the filters.
  let now = data.start, from = null, chosen = data.groups[0][0];
  const visible = () => rows.filter((row) => !row.hidden), index = (row) => Number(row.dataset.decision);
  function mark() {
    rows.forEach((row) => {
      if (index(row) !== now) { row.removeAttribute('aria-current'); return; }
      row.setAttribute('aria-current', 'true');
      const top = row.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top + row.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - 40;
    });
    if (!curve) return;
    const line = curve.querySelector('.now');
    ['x1', 'x2'].forEach((name) => line.setAttribute(name, 100 * (now + 0.5) / count + '%'));
  }
  function show(at, how, listed) {
    if (at === undefined || at < 0) return;
    const asked = html.dataset.practice;
    if (how) delete html.dataset.practice;
    if (at !== now || asked) draw(at);
    now = at;
    from = listed ? at : null;
    missing.hidden = true;
    mark();
    if (how) history[how + 'State'](null, '', '#' + data.keys[at]);
    const edge = box.getBoundingClientRect();
    if (how && (edge.top < 0 || edge.bottom > innerHeight)) box.scrollIntoView({ block: edge.height > innerHeight || edge.top < 0 ? 'start' : 'nearest' });
  }
  function step(by) {
    const open = visible(), at = from === null ? -1 : open.findIndex((row) => index(row) === from);
    const row = open[at < 0 ? 0 : Math.min(Math.max(at + by, 0), open.length - 1)];
    if (row) show(index(row), 'replace', true);
  }
  function choose() {
    const want = form.elements, seat = want.player.value, game = want.game.value, kind = want.kind.value, size = Number(want.size.value);
    rows.forEach((row) => {
      const at = index(row), isPlay = data.kind[at] === PLAY;
      row.hidden = !(groups[chosen].has.has(at) && (!seat || data.player[at] === Number(seat)) && (!game || data.game[at] === Number(game)) &&
        (!kind || isPlay === (kind === 'checker')) && data.worst[at] >= size);
    });
    chips.forEach((chip) => chip.setAttribute('aria-pressed', String(chip.dataset.filter === chosen)));
    from = null;
    said.textContent = visible().length + ' listed';
    mark();
  }
  chips.forEach((chip) => on(chip, 'click', () => { chosen = chip.dataset.filter; choose(); }));
  on(form, 'input', choose);
  on(form, 'submit', (event) => event.preventDefault());

  const turns = {
    ArrowLeft: () => show(Math.max(now - 1, 0), 'replace'), ArrowRight: () => show(Math.min(now + 1, count - 1), 'replace'),
    Home: () => show(0, 'replace'), End: () => show(count - 1, 'replace'), n: () => step(1), p: () => step(-1),
    f: () => chips[0].focus(), '?': () => (keys.open ? keys.close() : keys.showModal())
  };
  on(document, 'keydown', (event) => {
    const act = turns[event.key];
    if (!act || event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, select, textarea')) return;
    if (keys.open && event.key !== '?') return;
    event.preventDefault();
    act();
  });
  let touched = null;
  on(box, 'touchstart', (event) => {
    touched = event.target.closest('.board') && event.touches.length === 1 ? event.touches[0] : null;
  }, { passive: true });
  on(box, 'touchend', (event) => {
    const end = event.changedTouches[0], across = touched && end.clientX - touched.clientX;
    if (touched && Math.abs(across) > 40 && Math.abs(across) > 2 * Math.abs(end.clientY - touched.clientY)) turns[across < 0 ? 'ArrowRight' : 'ArrowLeft']();
    touched = null;
  });
  on(document, 'click', (event) => {
    const link = event.target.closest('a[href^="#"]'), go = event.target.closest('[data-go]'), step_ = event.target.closest('[data-step]');
    const row = event.target.closest('#decisions [data-decision]');
    if (go) turns[go.dataset.go]();
    if (step_) {
      const every = data.steps[step_.dataset.step], at = every[(every.indexOf(now) + 1) % every.length];
      show(at, 'push', rows.some((one) => index(one) === at && !one.hidden));
    }
    const at = row ? index(row) : link ? places.get(link.hash.slice(1)) : undefined;
    if (at === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(at, 'push', Boolean(row));
  });
  if (curve) on(curve, 'click', (event) => {
    const edge = curve.getBoundingClientRect(), at = (event.clientX - edge.left) / edge.width * count, near = 6 / edge.width * count;
    const marks = data.marks.filter((one) => Math.abs(one + 0.5 - at) <= near).sort((one, other) => data.worst[other] - data.worst[one]);
    show(marks.length ? marks[0] : Math.min(Math.max(Math.floor(at), 0), count - 1), 'push');
  });
  on(document, 'click', (event) => {
    const button = event.target.closest('#copy-positions');
    const ids = button ? visible().map(index).filter(identified) : [];
    if (button) button.dataset.copy = ids.map((at) => Notation.xgid(situation(at))).join('\n');
  }, true);

  // An address is a link to a decision.
  function open() {
    const key = location.hash.slice(1), at = key ? places.get(key) : data.start;
    if (at !== undefined) show(at, '');
    if (at !== undefined && key) box.scrollIntoView({ block: 'nearest' });
    missing.hidden = at !== undefined || !/^g\d+t\d+/.test(key);
    missing.textContent = 'No such decision on this page: ' + key;
  }
  on(window, 'popstate', open);
  choose();
  open();
  html.dataset.state = 'ready';
  return { byId, data, situation, draw, show, make, number };
})();
