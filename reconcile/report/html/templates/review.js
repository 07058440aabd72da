// The page of a match: one decision is shown; keys, rows, links, the curve and the address lead to it.
const Review = (() => {
  const html = document.documentElement, box = byId('decision'), source = byId('decisions-data');
  if (!source) { html.dataset.state = 'ready'; return null; }
  const data = JSON.parse(source.textContent), count = data.game.length, PLAY = 0, NO_DOUBLE = 1, TAKE = 3, BEAVER = 5, RESIGN = 6;
  const list = byId('decisions'), chips = document.querySelectorAll('[data-filter]');
  const form = byId('choose'), said = byId('chosen'), missing = byId('missing'), keys = byId('keys');
  const curve = document.querySelector('#curve .plot'), named = byId('named');
  const analysed = data.sides.some((side) => side.error.some((error) => error !== null));
  const groups = {}, places = new Map(data.keys.map((key, at) => [key, at]));
  data.groups.forEach((group) => { groups[group[0]] = { says: group[1], has: new Set(group[2]) }; });
  data.ids.forEach((text, at) => { if (text.startsWith(':')) data.ids[at] = data.ids[at - 1].split(':')[0] + text; });
  data.position.forEach((text, at) => { if (at && !text) data.position[at] = data.position[at - 1]; });

  // By decision the number of its move in a transcript, which has a column for each player, and in gnuBG's text, which counts every roll and cube action.
  const moves = [];
  data.kind.forEach((kind, at) => {
    const [row_, seat, number_] = at && data.game[at] === data.game[at - 1] ? moves[at - 1][2] : [0, 1, 0];
    const move = [row_ + (data.player[at] <= seat), number_ + 1];
    moves.push([...move, kind === NO_DOUBLE || kind >= RESIGN ? [row_, seat, number_] : [move[0], data.player[at], move[1]]]);
  });

  const button = (text, attributes, ...more) => make('button', { type: 'button', ...attributes }, text, ...more);
  function number(value, signed) {
    if (value === null) return DASH;
    const text = decimals(Math.abs(value) / 1000, 3);
    return (value < 0 ? '\u2212' : signed && value > 0 ? '+' : '') + text;
  }
  const percent = (value) => (value === undefined ? DASH : decimals(value / 1000, 1));
  function situation(at) {
    const seat = data.player[at], game = data.games[data.game[at]] || [0, 0, 0], kind = data.kind[at];
    const score = seat ? [game[1], game[0]] : [game[0], game[1]];
    return {
      counts: Notation.board(data.position[at]), dice: [Math.floor(data.dice[at] / 10), data.dice[at] % 10], cube: data.cube[at],
      owner: data.owner[at], offered: kind >= TAKE && kind <= BEAVER, top: data.top[at], length: data.length, rules: data.rules,
      crawford: game[2], score: data.length ? score : [0, 0], checkers: data.checkers, light: !seat,
      away: data.length ? score.map((points) => data.length - points) : null, names: [data.players[seat], data.players[1 - seat]]
    };
  }
  function done(at, one) {
    if (!isPlay(at)) return data.kinds[data.kind[at]][1];
    const roll = one.dice.slice().sort().reverse().join('');
    return roll + ': ' + (data.play[at] === null ? say('play.unplayed') : Notation.play(one.counts, Notation.steps(data.play[at])));
  }
  const identified = (at) => data.kind[at] <= BEAVER && !data.beaver.includes(at), DASH = '\u2013';
  const isPlay = (at) => data.kind[at] === PLAY;
  const owned = (at) => (!isPlay(at) && data.owner[at] ? 1 : 0);  // a cube that somebody owns is redoubled
  const actions = (at) => data.actions[owned(at)];
  const isMade = (option) => option[4] < 0;
  const action = (at, one, option) => (isPlay(at) ? Notation.play(one.counts, Notation.steps(option[0])) : actions(at)[option[0]]);

  function deed(at, one) {
    const cube = one.cube, by = { from: cube, to: 2 * cube }, n = (data.games[data.game[at]] || [])[3];
    if (data.kind[at] === RESIGN && n) {
      const size = Math.min(n / cube, 3);
      return size === 3 ? say('deed.resigns-backgammon', { n }) : size === 2 ? say('deed.resigns-gammon', { n }) : say('deed.resigns-points', { n });
    }
    return [null, () => say('deed.no-double', { cube }), () => (one.owner ? say('deed.redoubles', by) : say('deed.doubles', by)), () => say('deed.takes', by),
      () => say('deed.passes', by), () => say('deed.beavers', by), () => say('deed.resigns'), () => done(at, one)][data.kind[at]]();
  }

  function lines(at, one) {
    const wanted = [['played', say('play.played'), data.play[at]]], found = [];
    data.sides.forEach((side, index) => {
      const best = side.options[at].find((option) => option[1] !== null);
      wanted.push([Board.style(index), say('play.best-for', { label: side.label }), best ? best[0] : null]);
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
  function legend(drawn) {
    const items = make('ul', { class: 'legend' });
    drawn.forEach((line) => {
      const item = make('li');
      item.innerHTML = '<svg class="sample" viewBox="0 0 34 10" aria-hidden="true"><path d="M1 5h32" ' + Board.ink(line.style) + '/></svg>';
      item.append(make('span', {}, make('b', {}, line.text), ' ' + line.labels.join(', ')));
      items.append(item);
    });
    return items;
  }
  function identifiers(at, one) {
    const ids = make('dl', { class: 'ids' });
    [['XGID', identified(at) && Notation.xgid(one)], ['GNU ID', data.ids[at]]].forEach((made) => {
      const copy = made[1] && button(say('page.copy'), { class: 'copy', 'data-copy': made[1], 'aria-label': say('page.copy-id', { id: made[0] }) });
      ids.append(make('div', {}, make('dt', {}, made[0]), make('dd', {}, make('code', {}, made[1] || say('card.unknown')), copy || '')));
    });
    return ids;
  }

  // Analyses beside each other, plays in the order of the first that lists them.
  const narrow = matchMedia('(max-width: 700px)');
  let all = false, whole = false, below = null, paper = false;
  const short = (level) => level.replace(/^XG /, '').replace('Roller', 'R').replace(/-ply.*/, 'p');
  function levelsOf(side, at) {
    const options = side.options[at];
    return isPlay(at) && options.length ? [...new Set(options.map((option) => option[3]))] : [side.level[at]];
  }
  function summary(side, at) {
    const levels = levelsOf(side, at), level = levels.length === 1 ? side.levels[levels[0]] : '';
    if (side.counted[at] === '-') return say('card.not-in-file');
    const error = { error: number(side.error[at]) }, summed = side.counted[at] === '1' ? say('card.counts', error) : say('card.does-not-count', error);
    return level ? summed + ', ' + level : summed;
  }
  function nothing(side, at) {
    return side.counted[at] === '-' ? say('card.no-decision') : side.error[at] === null ? say('card.not-analysed') : say('card.no-candidates');
  }
  function givenUp(options) {
    const made = options.find(isMade), best = options[0];
    if (!made || made === best || made.length < 10 || best.length < 10) return '';
    const shown = (option, index) => Math.round(option[5 + index] / 100);
    return data.changes.map((noun, index) => [shown(made, index) - shown(best, index), noun]).filter((one) => one[0])
      .map((one) => (one[0] < 0 ? '\u2212' : '+') + say('card.change', { percent: percent(Math.abs(100 * one[0])), what: one[1] })).join(', ');
  }
  const numeric = (text, name) => make('td', { class: 'num' + (name || '') }, text);
  const column = (head, name) => make('th', { scope: 'col', class: name || 'num' }, head);
  // What a file has in all, in its order; those that are not shown at first are texts.
  function every(side, at) {
    const shown = side.options[at], ranks = new Set(shown.map((option) => Math.abs(option[4])));
    const first = (shown.find((option) => option[1] !== null) || [0, 0])[1];
    let rank = 0, before = 0;
    const rest = side.rest[at].split(' ').filter(Boolean).map((text) => {
      const [play, ...numbers] = text.split(':'), [behind = null, level = null, more = null, ...chances] = numbers.map((one) => (one ? Number(one) : null));
      do rank += 1; while (ranks.has(rank));
      before = level === null ? before : level;
      return [play, behind === null ? more : first + behind + more, behind, before, rank, ...chances];
    });
    return [...shown, ...rest].sort((one, other) => Math.abs(one[4]) - Math.abs(other[4]));
  }
  const doubling = (side, at) => side.before[at] || side.options[at];  // the three equities, for the player on roll
  // An answer to a double has the equity without one above it, which nobody loses anything by.
  function listed(side, at) {
    if (isPlay(at)) return whole ? every(side, at) : side.options[at];
    return side.before[at] ? [[...side.before[at][0].slice(0, 2), undefined, 0, 1], ...side.options[at]] : side.options[at];
  }
  function verdict(side, at) {
    return side.verdict[at] === '-' ? '' : data.verdicts[owned(at)][side.verdict[at]];
  }
  function notesOf(side, at, alone) {
    const whose_ = alone ? '' : side.label + ': ', lost = alone && isPlay(at) && givenUp(side.options[at]);
    return [lost && say('card.against-best', { changes: lost }), data.said[side.note[at]], !alone && !side.options[at].length && whose_ + nothing(side, at)].filter(Boolean);
  }
  function opinion(at, one, sides, styles, most) {
    const alone = sides.length === 1, few = sides.length > (narrow.matches ? 2 : 3), known = new Map();
    sides.forEach((side, index) => listed(side, at).forEach((option) => {
      const name = action(at, one, option);
      if (!known.has(name)) known.set(name, []);
      known.get(name)[index] = option;
    }));
    const heads = make('tr', {}, column(say('card.candidate'), 'play')), over = make('tr', {}, make('td')), body = make('tbody');
    const chances = sides.map((side) => (side.options[at].some((option) => option.length > 5) && (isPlay(at) || most > 2) ? most : 0));
    const marked = sides.map((side) => levelsOf(side, at).length > 1);
    sides.forEach((side, index) => {
      const names = (few ? [say('card.difference')] : [say('card.equity'), say('card.difference')]).concat(data.chances.slice(0, chances[index])), begin = alone ? '' : ' begin';
      over.append(make('th', { scope: 'colgroup', colspan: names.length, class: styles[index] + begin }, make('b', {}, side.label), ' ' + summary(side, at),
        verdict(side, at) && make('strong', {}, verdict(side, at))));
      names.forEach((name, place) => heads.append(column(name, 'num' + (place ? '' : begin))));
    });
    known.forEach((options, name) => {
      const row = make('tr', options.some((option) => option && isMade(option)) ? { class: 'made', 'data-action': name } : { 'data-action': name });
      row.append(make('th', { scope: 'row' }, alone && isPlay(at) && make('span', { class: 'rank' }, String(Math.abs(options[0][4]))), name,
        ...options.map((option, index) => option && marked[index] && make('small', { class: 'level ' + styles[index], title: sides[index].levels[option[3]] },
          short(sides[index].levels[option[3]]))), row.className && make('span', { class: alone ? 'tag' : 'unseen' }, say('play.played'))));
      sides.forEach((side, index) => {
        const option = options[index] || [0, null, null], begin = alone ? '' : ' begin';
        const off = option[2] === undefined ? '' : option[2] !== null ? number(option[2], true) : option[1] === null && !alone ? DASH : alone ? '' : say('card.best');
        if (!few) row.append(numeric(number(option[1], true), begin));
        row.append(numeric(off, few ? begin : ''));
        for (let place = 0; place < chances[index]; place += 1) row.append(numeric(percent(option[5 + place])));
      });
      body.append(row);
    });
    if (!known.size && alone) body.append(make('tr', {}, make('td', { class: 'quiet' }, nothing(sides[0], at))));
    const caption = alone ? make('caption', {}, make('b', {}, sides[0].label), ' ', make('span', {}, summary(sides[0], at)), verdict(sides[0], at) && make('strong', {}, verdict(sides[0], at))) :
      make('caption', { class: 'unseen' }, say('card.candidates'));
    const head = (known.size || !alone) && make('thead', {}, !alone && over, known.size && heads);
    const notes = new Set(sides.flatMap((side) => notesOf(side, at, alone)));
    return make('div', { class: 'opinion ' + (alone ? styles[0] : 'beside') }, make('div', { class: 'scroll' }, make('table', {}, caption, head, body)),
      ...Array.from(notes, (note) => make('p', { class: 'quiet more' }, note)));
  }
  // Before a cube decision, in every analysis.
  function bothPlayers(at) {
    const chances = data.sides.map((side) => (doubling(side, at)[0] || []).slice(5)), several = data.sides.length > 1;
    if (isPlay(at) || !chances.some((each) => each.length)) return null;
    const seat = data.kind[at] < TAKE ? data.player[at] : 1 - data.player[at];
    const heads = make('tr', {}, several && make('td'), column(say('card.chances'), 'play'), ...data.chances.slice(0, 3).map((name) => column(name, 'num')));
    const rows = data.sides.flatMap((side, index) => [[seat, (each) => each.slice(0, 3)], [1 - seat, (each) => [100000 - each[0], ...each.slice(3)]]].map(([player, part], line) =>
      make('tr', {}, several && !line && make('th', { scope: 'rowgroup', rowspan: 2, class: Board.style(index) }, side.label), make('th', { scope: 'row' }, data.called[player]),
        ...(chances[index].length ? part(chances[index]) : [undefined, undefined, undefined]).map((value) => numeric(percent(value))))));
    const table = make('table', {}, make('caption', { class: 'unseen' }, say('card.chances-before')), make('thead', {}, heads), make('tbody', {}, ...rows));
    return make('div', { class: 'players' }, make('div', { class: 'scroll' }, table));
  }
  function opinions(at, one, most, tight) {
    const sides = data.sides, styles = sides.map((_, index) => Board.style(index)), box_ = make('div', { class: tight ? 'opinions tight' : 'opinions' });
    if (all || paper || most > 2) box_.append(...sides.map((side, index) => opinion(at, one, [side], [styles[index]], 5)));
    else box_.append(opinion(at, one, sides, styles, most));
    box_.append(bothPlayers(at) || '');
    return box_;
  }
  // As many chances as have room; plays break into lines only where there is no other way.
  function fit(at, one) {
    const few = narrow.matches ? 2 : 3, sides = data.sides.length, most = sides >= few ? 0 : sides > 1 || narrow.matches ? 2 : 5;
    const tables = () => [...box.querySelectorAll('.opinions .scroll')], wide = () => tables().some((table) => table.scrollWidth > table.clientWidth);
    const turns = all || paper ? [[5], [5, true]] : [5, 2, 0].filter((chances) => chances <= most).map((chances) => [chances]).concat([[0, true]]);
    for (const turn_ of turns) {
      box.querySelector('.opinions').replaceWith(opinions(at, one, ...turn_));
      if (!wide()) return;
    }
    tables().forEach((table) => set(table, { role: 'group', tabindex: 0, 'aria-labelledby': 'decision-h' }));
  }

  function standing(one) {
    const needs = one.away && { own: one.away[0], other: one.away[1] };
    return !needs ? say('card.money') : one.crawford ? say('card.crawford', needs) : say('card.away', needs);
  }
  const isAbove = (at) => below !== null && below !== data.player[at];
  // A decision; or only the question (words), and something to choose with. Returns what draws its board again, with places to tap.
  function draw(at, words, choices) {
    const one = situation(at), what = words || (isPlay(at) ? done(at, one) : deed(at, one)), left = make('div', { class: 'board-side' }), decided = data.kind[at] <= BEAVER;
    const drawn = data.kind[at] || words ? [] : lines(at, one), seat = data.player[at], where = { game: data.game[at], turn: data.turn[at] };
    const name = say('card.to-decide', { player: one.names[0], ...where, what }), above = isAbove(at);
    if (data.position[at]) {
      left.innerHTML = Board.svg(one, drawn.map((line) => [line.style, line.play]), 'board-0', name, above);
      if (drawn.length) left.append(legend(drawn));
    }
    if (!words) (data.comments[at] || []).forEach((text) => left.append(make('blockquote', { class: 'comment' }, text)));
    const says = words ? [] : data.groups.filter((group) => group[1] && groups[group[0]].has.has(at)).map((group) => group[1]);
    const judged = analysed && (decided || data.sides.some((side) => side.error[at] > 0));
    const right = make('div', { class: 'word-side' }, choices || (judged && make('div', { class: 'opinions' })));
    const tools = make('p', { class: 'tools' });
    if (!words && decided && analysed) tools.append(button(say('card.all-chances'), { 'data-go': 'c', 'aria-pressed': all }), ' ');
    const more = words ? [] : data.sides.filter((side) => side.more[at]).map((side) => (data.sides.length > 1 ? side.label + ' ' : '') + side.more[at]);
    if (more.length) tools.append(button(whole ? say('card.first') : say('card.more', { more: more.join(', ') }), { 'data-go': 'a', 'aria-pressed': whole }), ' ');
    if (decided) tools.append(button(say('card.keep-below', { player: data.called[below === null ? seat : below] }),
      { 'data-go': 'b', 'aria-pressed': below !== null }));
    if (!words && identified(at)) {
      if (data.sides.some((side) => side.error[at] !== null)) tools.append(' ', button(say('send.text'), { class: 'copy', 'data-send': 'text', 'data-copy': '' }));
      tools.append(' ', button(say('send.picture'), { 'data-send': 'picture' }));
    }
    right.append(tools, identifiers(at, one));
    box.replaceChildren(make('div', { class: 'head' }, make('h2', { id: 'decision-h' }, say('card.title', { ...where, player: one.names[0] }), decided && make('small', {}, ' ' + say('card.moves', { transcript: moves[at][0], gnubg: moves[at][1] }))),
      make('p', { class: 'what' }, make('b', {}, what), ' ' + standing(one)), says.length ? make('p', { class: 'says' }, says.join(' ')) : ''), left, right);
    if (!choices && judged) fit(at, one);
    Object.assign(box.dataset, { game: data.game[at], turn: data.turn[at], kind: data.kinds[data.kind[at]][0], player: one.names[0] });
    return (counts, taps) => { left.firstElementChild.outerHTML = Board.svg({ ...one, counts }, [], 'board-0', name, above, taps); };
  }

  const reaches = (at, size) => data.worst[at] >= 100 * size;  // in hundred-thousandths, for exact borders
  // The list is one stop of the Tab key.
  function row(at) {
    const added = make('li', { 'data-decision': at, id: 'row-' + at, role: 'option' }, make('b', { class: 'place' }, data.game[at] + '.' + data.turn[at]),
      make('span', { class: data.player[at] ? 'p2' : 'p1' }, data.called[data.player[at]]), make('span', {}, done(at, situation(at))));
    added.append(make('em', {}, reaches(at, data.blunder) ? '??' : reaches(at, 50) ? '?' : reaches(at, data.size) ? '?!' : ''));
    data.sides.forEach((side) => added.append(make('i', { class: ['', 'mid', 'bad'][side.grade[at]] }, number(side.error[at]))));
    return added;
  }
  const index = (li) => Number(li.dataset.decision);
  const rows = data.order.map(row);
  const byCost = data.order.slice(), rowOf = new Map(rows.map((li) => [index(li), li]));
  list.append(...rows);
  box.setAttribute('aria-labelledby', 'decision-h');
  set(list, { role: 'listbox', 'aria-labelledby': 'list-h', tabindex: 0 });

  // One state: the decision shown, where in the list `n` goes on from, and the filters.
  let now = data.start, from = null, chosen = data.groups[0][0];
  const visible = () => [...list.children].filter((li) => !li.hidden);
  function nameOf(at) {
    const errors = data.sides.filter((side) => side.error[at] > 0).map((side) => side.label + ' ' + number(side.error[at]));
    return `${data.game[at]}.${data.turn[at]} ${data.called[data.player[at]]}, ${done(at, situation(at))}` +
      (errors.length ? ', ' + say('curve.error', { errors: errors.join(', ') }) : '') +
      (data.luck[at] === null ? '' : ', ' + say('curve.luck', { luck: number(data.luck[at], true) }));
  }
  function mark() {
    rows.forEach((li) => li.setAttribute('aria-selected', index(li) === now));
    list.removeAttribute('aria-activedescendant');
    const li = rowOf.get(now), high = li && li.offsetHeight;
    if (high) {
      list.setAttribute('aria-activedescendant', li.id);
      if (li.offsetTop < list.scrollTop || li.offsetTop + high > list.scrollTop + list.clientHeight) list.scrollTop = li.offsetTop - 4 * high;
    }
    document.querySelectorAll('#strip a').forEach((link) => {
      const is = link.dataset.game === String(data.game[now]), line = link.closest('ol');
      link.setAttribute('aria-current', is);
      if (is) line.scrollLeft = link.offsetLeft - line.offsetLeft - 60;
    });
    if (!curve) return;
    const x = 100 * (now + 0.5) / count + '%';
    if (drawnAt !== curve.clientWidth) plot();
    set(curve.querySelector('.now'), { x1: x, x2: x });
    named.textContent = nameOf(now);
    set(curve, { 'aria-valuenow': now + 1, 'aria-valuetext': nameOf(now) });
  }
  let drawnAt = -1;
  function plot() {
    drawnAt = curve.clientWidth;
    curve.innerHTML = Curve.inside(data, data.sides.slice(0, data.lines).map((_, index) => Board.style(index)), [data.size, data.blunder], drawnAt);
  }
  function inView() {
    const edge = box.getBoundingClientRect();
    if (edge.top < 0 || (edge.bottom > innerHeight && edge.top > 0.4 * innerHeight)) box.scrollIntoView();
  }
  function show(at, how, listed) {
    if (at === undefined || at < 0) return;
    const asked = html.dataset.practice;
    if (how) delete html.dataset.practice;
    now = at;
    if (how || !asked) draw(at);
    from = listed ? at : null;
    missing.hidden = true;
    mark();
    if (how) history[how + 'State'](null, '', '#' + data.keys[at]);
    if (parent !== window) parent.postMessage({ decision: data.keys[at], chosen: !!how }, '*');  // to a page that shows this one
    if (how) inView();
  }
  function step(by) {
    const open = visible().map(index), at = open.indexOf(from === null && open[0] === now ? now : from);
    if (open.length) show(open[at < 0 ? 0 : Math.min(Math.max(at + by, 0), open.length - 1)], 'replace', true);
  }
  const wrong = () => visible().map(index).filter((at) => reaches(at, data.size));
  // After the last one the first comes again.
  function nextError() {
    const open = wrong(), here = open.indexOf(now), later = order === 'game' ? open.findIndex((at) => at > now) : 0;
    show(open[here < 0 ? Math.max(later, 0) : (here + 1) % open.length], 'replace', true);
  }
  // A choice is no forced play, and no no-double that nobody counts.
  function open_(at) {
    if (reaches(at, data.size) || data.sides.some((side) => side.counted[at] === '1')) return true;
    return isPlay(at) ? data.sides.every((side) => side.error[at] === null) : data.kind[at] !== NO_DOUBLE;
  }
  function turn(by, every) {
    let at = now + by;
    while (!every && at >= 0 && at < count && !open_(at)) at += by;
    if (at >= 0 && at < count) show(at, 'replace');
  }
  function game(by) {
    const games = [...new Set(data.game)], to = games[games.indexOf(data.game[now]) + by], first = data.game.indexOf(to);
    const open = data.game.findIndex((of, at) => of === to && open_(at));
    if (to) show(open < 0 ? first : open, 'replace');
  }
  // A game that is scrolled out of the strip is a link into the page all the same.
  document.querySelectorAll('#strip a').forEach((link) => { link.id = link.hash.slice(1); });
  const ofErrors = document.querySelectorAll('[data-go=error], #print-sheet');
  let order = 'cost';
  function choose() {
    const want = form.elements, seat = want.player.value, number_ = want.game.value, kind = want.kind.value, phase = want.phase.value, size = Number(want.size.value);
    if (want.order.value !== order) {
      order = want.order.value;
      const moves = order === 'game' ? data.kind.map((_, at) => at).filter((at) => rowOf.has(at) || data.kind[at] !== NO_DOUBLE) : byCost;
      moves.filter((at) => !rowOf.has(at)).forEach((at) => { rows.push(row(at)); rowOf.set(at, rows[rows.length - 1]); });
      list.dataset.order = order;
      list.replaceChildren(...moves.map((at) => rowOf.get(at)));
      byId('list-h').textContent = order === 'game' ? say('list.by-game') : say('list.by-cost');
    }
    const every = order === 'game' && chosen === data.groups[0][0], is = (wanted, value) => !wanted || wanted === String(value);
    rows.forEach((li) => {
      const at = index(li);
      li.hidden = !((every || groups[chosen].has.has(at)) && is(seat, data.player[at]) && is(number_, data.game[at]) &&
        is(kind, isPlay(at) ? 'checker' : 'cube') && is(phase, data.phase[at]) && reaches(at, size));
    });
    chips.forEach((chip) => chip.setAttribute('aria-pressed', chip.dataset.filter === chosen));
    from = null;
    const there = visible(), extra = analysed ? there.filter((li) => !byCost.includes(index(li))).length : 0;
    said.textContent = extra ? say('list.listed-without', { number: there.length - extra, without: extra }) : say('list.listed', { number: there.length });
    ofErrors.forEach((one) => { one.disabled = !wrong().length; });
    mark();
  }
  chips.forEach((chip) => on(chip, 'click', () => { chosen = chip.dataset.filter; choose(); }));
  on(form, 'input', choose);

  const again = () => { if (!html.dataset.practice) draw(now); };
  const turns = {
    ArrowLeft: (every) => turn(-1, every), ArrowRight: (every) => turn(1, every), Home: () => show(0, 'replace'), End: () => show(count - 1, 'replace'),
    '[': () => game(-1), ']': () => game(1), n: () => step(1), p: () => step(-1), error: nextError, f: () => chips[0].focus(),
    a: () => { whole = !whole; again(); }, c: () => { all = !all; again(); }, b: () => { below = below === null ? data.player[now] : null; again(); },
    '?': () => (keys.open ? keys.close() : keys.showModal())
  };
  on(document, 'keydown', (event) => {
    const by = event.target === list && { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    const act = by ? () => { from = now; step(by); } : turns[event.key];
    if (!act || event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, select, textarea') || (keys.open && event.key !== '?')) return;
    event.preventDefault();
    act(event.shiftKey);
  });
  let width = innerWidth;
  on(window, 'resize', () => {
    if (innerWidth === width) return;
    width = innerWidth;
    again();
    mark();
  });
  // Before paper is laid out, which is done once.
  [['beforeprint', true], ['afterprint', false]].forEach(([name, is]) => on(window, name, () => { paper = is; again(); }));
  let begun = null;
  on(box, 'touchstart', (event) => { begun = event.target.closest('.board') && !event.touches[1] && event.touches[0]; }, { passive: true });
  on(box, 'touchend', (event) => {
    const end = event.changedTouches[0], across = begun && !html.dataset.practice ? end.clientX - begun.clientX : 0;
    if (Math.abs(across) > 40 + 2 * Math.abs(end.clientY - begun.clientY)) turn(across < 0 ? 1 : -1);
  });
  on(document, 'click', (event) => {
    const link = event.target.closest('a[href^="#"]'), go = event.target.closest('[data-go]'), step_ = event.target.closest('[data-step]');
    const li = event.target.closest('#decisions [data-decision]');
    if (go) {
      turns[go.dataset.go]();
      if (!go.isConnected) box.querySelector(`[data-go=${go.dataset.go}]`).focus({ preventScroll: true });
    }
    if (step_) {
      const every = data.steps[step_.dataset.step], at = every[(every.indexOf(now) + 1) % every.length];
      show(at, 'push', visible().map(index).includes(at));
    }
    const at = li ? index(li) : link ? places.get(link.hash.slice(1)) : undefined;
    if (at === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(at, 'push', Boolean(li));
  });
  if (curve) {
    const under = (event) => {
      const edge = curve.getBoundingClientRect(), at = (event.clientX - edge.left) / edge.width * count, near = 6 / edge.width * count;
      const marks = data.worst.map((_, one) => one).filter((one) => reaches(one, data.size) && Math.abs(one + 0.5 - at) <= near).sort((one, other) => data.worst[other] - data.worst[one]);
      return marks.length ? marks[0] : Math.min(Math.max(Math.floor(at), 0), count - 1);
    };
    curve.removeAttribute('aria-hidden');
    set(curve, { role: 'slider', tabindex: 0, 'aria-label': curve.previousElementSibling.textContent.trim(), 'aria-valuemin': 1, 'aria-valuemax': count });
    on(curve, 'click', (event) => show(under(event), 'push'));
    on(curve, 'pointermove', (event) => { named.textContent = nameOf(under(event)); });
    on(curve, 'pointerleave', () => { named.textContent = nameOf(now); });
    const luck = byId('luck');
    if (luck) on(luck, 'click', () => luck.setAttribute('aria-pressed', curve.classList.toggle('lucky')));
  }
  on(document, 'click', (event) => {
    const copy = event.target.closest('#copy-positions');
    if (copy) copy.dataset.copy = visible().map(index).filter(identified).map((at) => Notation.xgid(situation(at))).join('\n');
  }, true);

  // An address is a link to a decision: its board is put in view, whatever the browser scrolls to.
  function open(event) {
    const key = location.hash.slice(1), at = key ? places.get(key) : data.start;
    show(at, '');
    if (event && parent !== window) parent.postMessage({ decision: data.keys[now], chosen: true }, '*');
    if (at !== undefined && key) box.scrollIntoView();
    missing.hidden = at !== undefined || !/^g\d+t\d+/.test(key);
    missing.textContent = say('page.no-decision', { key });
  }
  on(window, 'popstate', open);
  on(window, 'load', () => { if (places.has(location.hash.slice(1))) box.scrollIntoView(); });
  if (!analysed) form.elements.order.value = 'game';
  choose();
  open();
  html.dataset.state = 'ready';
  const keepBelow = (seat) => { below = seat; again(); };
  return { again, keepBelow, below: () => below, deed: (at, one) => (isPlay(at) ? done(at, one) : deed(at, one)), standing, isAbove, data, situation, draw, show, button, number, action, actions, isMade, every, doubling, verdict, summary, wrong, now: () => now, errors: data.order.slice(0, data.errors) };
})();
