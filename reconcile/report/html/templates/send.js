// A decision to send: as text in the form that XG copies, as reconcile/exercises/cards.py writes it, and as a picture.
(() => {
  if (!Review) return;
  const { data } = Review, TAKE = 3, BAR = 25, HIGH = 5, CHANCES = 5, KINDS = ['play', 'no double', 'double', 'take', 'pass', 'beaver'];
  const BEST = ['double, take', 'double, pass', 'no double, take', 'too good to double, pass'];
  const TOP = [[13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]], BOTTOM = [[12, 11, 10, 9, 8, 7], [6, 5, 4, 3, 2, 1]];
  const equity = (value) => (value < 0 ? '-' : '+') + (Math.abs(value) / 1000).toFixed(3);
  const lost = (value) => (value === null ? '' : ` (${equity(value)})`);
  const share = (part) => (part / 1000).toFixed(2);
  const three = ([win, gammon, backgammon]) => `${share(win)}% (G:${share(gammon)}% B:${share(backgammon)}%)`;
  const both = (chances) => [three(chances), three([100000 - chances[0], ...chances.slice(3)])];
  const isPlay = (at) => !data.kind[at];
  const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
  const depth = (level) => capital((/rollout|book|XG Roller\+*|\d+-ply/.exec(level) || [''])[0]);
  const rated = (side, at) => Review.every(side, at).filter((option) => option[1] !== null);

  // As the player on roll has it, who is X and sits at the bottom.
  function rolling(at) {
    const one = { ...Review.situation(at), top: 0 };
    return one.offered ? { ...one, offered: false, counts: Notation.swapped(one.counts), owner: -one.owner, score: [...one.score].reverse() } : one;
  }
  function score(one) {
    const rules = [one.rules & 1 && 'Jacoby', one.rules & 2 && 'Beaver'].filter(Boolean).join(' ');
    return one.length ? `Score is X:${one.score[0]} O:${one.score[1]} ${one.length} pt.(s) match.` :
      `Score is X:${one.score[0]} O:${one.score[1]}. Unlimited Game${rules && ', '}${rules}`;
  }
  function checker(count, row) {
    const many = Math.abs(count);
    if (many <= row) return ' ';
    return row === HIGH - 1 && many > HIGH ? many.toString(16).toUpperCase() : count > 0 ? 'X' : 'O';
  }
  function line(one, halves, row, onBar) {
    const [left, right] = halves.map((half) => half.map((place) => ` ${checker(one.counts[place], row)} `).join(''));
    const bar = halves === TOP ? Math.max(one.counts[BAR], 0) : Math.min(one.counts[0], 0);
    return ` |${left}| ${checker(bar, onBar)} |${right}|`;
  }
  function board(one) {
    const beside = Array(2 * HIGH + 1).fill(''), begin = one.owner > 0 ? 2 * HIGH - 2 : 0, cube = String(one.cube);
    const box = ['+---+', `|${cube.padStart(cube.length + Math.floor((3 - cube.length) / 2)).padEnd(3)}|`, '+---+'];
    if (one.owner) box.forEach((edge, row) => { beside[begin + row] = ' ' + edge; });
    const rows = [0, 1, 2, 3, 4], blank = ' '.repeat(18);
    return [' +13-14-15-16-17-18------19-20-21-22-23-24-+', ...rows.map((row) => line(one, TOP, row, HIGH - 1 - row) + beside[row]),
      ` |${blank}|BAR|${blank}|` + beside[HIGH], ...rows.reverse().map((row) => line(one, BOTTOM, row, HIGH - 1 - row) + beside[2 * HIGH - row]),
      ' +12-11-10--9--8--7-------6--5--4--3--2--1-+'];
  }
  function plays(side, at, one) {
    return rated(side, at).flatMap((option, index) => {
      const text = `${String(index + 1).padStart(5)}. ${depth(side.levels[option[3]]).padEnd(11)} ${Review.action(at, one, option).padEnd(27)} ` +
        `eq:${equity(option[1])}${index ? lost(option[2]) : ''}`;
      if (option.length < 10 || (index >= CHANCES && !Review.isMade(option))) return [text, ''];
      const [own, other] = both(option.slice(5));
      return [text, `      Player:   ${own}`, `      Opponent: ${other}`, ''];
    });
  }
  function cube(side, at, one) {
    const options = Review.doubling(side, at), level = side.levels[side.level[at]], verb = one.owner ? 'redouble' : 'double';
    const lines = [`Analyzed in ${depth(level) || level || 'unknown depth'}`];
    if (!options.length) return lines;
    if (options[0].length > 5) {
      const [own, other] = both(options[0].slice(5));
      lines.push(`Player Winning Chances:   ${own}`, `Opponent Winning Chances: ${other}`);
    }
    const names = [`No ${verb}`, `${capital(verb)}/Take`, `${capital(verb)}/Pass`];
    const [action, answer] = BEST[side.verdict[at]].replace('double', verb).split(', ');
    return [...lines, '', 'Cubeful Equities:', ...options.map((option, index) => `       ${(names[index] + ':').padEnd(14)} ${equity(option[1])}${lost(option[2])}`),
      '', `Best Cube action: ${capital(action)} / ${capital(answer)}`];
  }
  function best(side, at, one) {
    const [first] = isPlay(at) ? rated(side, at) : [];
    return first ? Review.action(at, one, first) : BEST[side.verdict[at]] || 'no best action';
  }
  function text(at) {
    const one = rolling(at), decider = Review.situation(at), asked = data.sides.filter((side) => side.error[at] !== null);
    const charging = asked.reduce((most, side) => (side.error[at] > most.error[at] ? side : most));
    const pips = Board.pipCount(one.counts), owner = one.owner ? `, ${one.owner > 0 ? 'X' : 'O'} own cube` : '';
    const played = isPlay(at) ? Notation.play(decider.counts, Notation.steps(data.play[at] || '')) : KINDS[data.kind[at]];
    const written = 'written by ' + document.querySelector('meta[name=generator]').content;
    return [Notation.xgid(one), '', 'X:Player 1   O:Player 2', score(one), ...board(one),
      `Pip count  X: ${pips[0]}  O: ${pips[1]} X-O: ${one.score.join('-')}${one.length ? '/' + one.length : ''}${one.crawford ? ' Crawford' : ''}`,
      `Cube: ${one.cube}${owner}`,
      ...(isPlay(at) ? [`X to play ${[...one.dice].sort().reverse().join('')}`, '', ...plays(charging, at, decider)] : ['X on roll, cube action', '', ...cube(charging, at, one)]),
      '', `${decider.names[0]} against ${decider.names[1]}, game ${data.game[at]}, turn ${data.turn[at]}: ${played}`,
      ...asked.map((side) => `${side.label}: ${best(side, at, decider)}; loses ${(side.error[at] / 1000).toFixed(3)}`), ...(data.comments[at] || []),
      '', charging.xg ? `eXtreme Gammon Version: 2, ${written}` : `${charging.label}, ${written}`, ''].join('\n');
  }

  // The board with what every analysis says, as the page words it.
  const WIDE = 638, TALL = 536, LINE = 22, escaped = (words) => words.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt()};`);
  function picture(at) {
    const box = byId('decision'), drawn = box.querySelector('.board').cloneNode(true), used = [];
    drawn.querySelectorAll('use').forEach((one) => { used.push(document.querySelector(one.getAttribute('href')).outerHTML); });
    const said = [[box.querySelector('h2').firstChild.data + ', ' + box.querySelector('.what').textContent, true]];
    data.sides.filter((side) => side.error[at] !== null).forEach((side) => {
      said.push([`${side.label}: ${Review.verdict(side, at) || best(side, at, Review.situation(at))}, ${Review.summary(side, at)}`, true]);
      if (isPlay(at)) side.options[at].slice(0, 3).forEach((option) => said.push([`${Review.action(at, Review.situation(at), option)}  ${Review.number(option[1], true)}`]));
      else Review.doubling(side, at).forEach((option) => said.push([`${Review.actions(at)[option[0]]}  ${Review.number(option[1], true)}`]));
    });
    const high = TALL + LINE * (said.length + 1), lines = said.map(([words, bold], row) =>
      `<text x="${bold ? 4 : 20}" y="${TALL + LINE * (row + 1)}" font-size="15" ${bold ? 'font-weight="600" ' : ''}fill="#1d1c1a">${escaped(words)}</text>`);
    return { wide: WIDE, high, svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDE}" height="${high}" viewBox="0 0 ${WIDE} ${high}" font-family="sans-serif">` +
      `<defs>${used.join('')}</defs><rect width="100%" height="100%" fill="#f7f5f0"/><svg width="${WIDE}" height="${TALL}" viewBox="0 0 ${WIDE} ${TALL}" color="#1d1c1a">` +
      `${drawn.innerHTML}</svg>${lines.join('')}</svg>` };
  }
  async function download(at) {
    const { wide, high, svg } = picture(at), image = new Image(), canvas = document.createElement('canvas');
    image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(svg);
    await image.decode();
    Object.assign(canvas, { width: 2 * wide, height: 2 * high });
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    save(canvas.toDataURL('image/png'), data.keys[at] + '.png');
  }
  document.addEventListener('click', (event) => {
    const button = event.target.closest('[data-send]');
    if (button && button.dataset.send === 'text') button.dataset.copy = text(Review.now());
    if (button && button.dataset.send === 'picture') download(Review.now());
  }, true);
})();
