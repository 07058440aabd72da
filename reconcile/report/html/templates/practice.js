// Practice: errors of a player, the costliest first.
(() => {
  const panel = Review && Review.byId('practice');
  if (!panel) return;
  const { data, make } = Review, html = document.documentElement, box = Review.byId('decision'), PLAY = 0, DOUBLE = 2, TAKE = 3, PASS = 4, SIZE = data.size;
  const part = (name) => panel.querySelector('[data-practice-' + name + ']'), who = part('who'), said = part('said'), next = part('next');
  let seat = '', total = 0, queue = [], at = -1, asked = false, steps = [], first = new Map();

  // What every choice loses by each analysis, in thousandths; null is unknown.
  function choices() {
    const one = Review.situation(at), kind = data.kind[at], found = new Map();
    function add(name, side, loss, made) {
      if (!found.has(name)) found.set(name, { name, losses: data.sides.map(() => null), made: false });
      found.get(name).losses[side] = loss;
      found.get(name).made = found.get(name).made || made;
    }
    data.sides.forEach((side, index) => {
      const options = side.options[at], equity = options.map((option) => option[1]);
      if (kind === PLAY || kind >= TAKE) {
        options.forEach((option) => {
          const name = Review.action(at, one, option);
          add(name, index, option[2] === null ? 0 : -option[2], Review.isMade(option));
          if (kind === PLAY) found.get(name).after = Notation.sorted(Notation.steps(option[0])).reduce(Notation.after, one.counts).join();
        });
      } else if (options.length) {
        const doubled = Math.min(equity[1], equity[2]), best = Math.max(equity[0], doubled);
        add('no double', index, best - equity[0], kind !== DOUBLE);
        add('double', index, best - doubled, kind === DOUBLE);
      }
    });
    found.forEach((choice) => {
      if (choice.made) data.sides.forEach((side, index) => { if (side.options[at].length) choice.losses[index] = side.error[at]; });
    });
    return kind === PLAY ? [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1)) : [...found.values()];
  }
  function errors() {
    return Review.errors.filter((index) => {
      at = index;
      return data.kind[index] <= PASS && (!seat || seat === String(data.player[index])) && choices().length > 1;
    });
  }
  function tally() {
    const every = [...first], share = (of) => of.filter((one) => one[1]).length + ' of ' + of.length;
    const [plays, cubes] = [true, false].map((is) => every.filter((one) => (data.kind[one[0]] === PLAY) === is));
    return share(every) + ' right at once; ' + [plays[0] && 'checker ' + share(plays), cubes[0] && 'cube ' + share(cubes)].filter(Boolean).join(', ') + '.';
  }
  const say = (...texts) => said.replaceChildren(...texts.map((text) => make('p', {}, text)));
  function turnTo(button) {
    button.focus({ preventScroll: true });
    box.scrollIntoView({ block: 'nearest' });
  }

  // The board: a tap on a checker shows where it may go, a tap there moves it.
  function board(repaint) {
    const one = Review.situation(at), roll = one.dice, dice = roll[0] === roll[1] ? [...roll, ...roll] : roll;
    let counts = one.counts, rest = dice, lifted = null, past = [];
    steps = [];
    const play = box.querySelector('[data-practice-play]'), undo = box.querySelector('[data-practice-undo]');
    function redraw() {
      const open = Notation.legal(counts, rest), here = open.filter((one) => one.step[0] === lifted);
      const taps = lifted === null ? new Map(open.map((one) => [one.step[0], 'from'])) : new Map([[lifted, 'lifted'], ...here.map((one) => [one.step[1], 'to'])]);
      repaint(counts, [...taps]);
      play.disabled = open.length > 0;
      undo.disabled = !past.length;
      play.textContent = 'Play' + (steps.length || !open.length ? ' ' + Notation.play(one.counts, steps) : '');
    }
    function tap(place) {
      const open = Notation.legal(counts, rest), going = open.find((one) => one.step[0] === lifted && one.step[1] === place);
      if (going) {
        past.push([counts, rest]);
        counts = Notation.after(counts, going.step);
        rest = going.rest;
        steps.push(going.step);
        lifted = null;
      } else lifted = lifted !== place && open.some((one) => one.step[0] === place) ? place : null;
      redraw();
    }
    box.querySelector('.board-side').addEventListener('click', (event) => {
      const place = event.target.closest('[data-tap]');
      if (place) tap(Number(place.dataset.tap));
    });
    undo.addEventListener('click', () => { [counts, rest] = past.pop(); steps.pop(); lifted = null; redraw(); });
    play.addEventListener('click', () => {
      const listed = choices().find((choice) => choice.after === counts.join());
      answer(listed || { name: Notation.play(one.counts, steps), losses: data.sides.map(() => null), made: false });
    });
    redraw();
  }
  function ask() {
    at = queue[0];
    const one = Review.situation(at), kind = data.kind[at], roll = one.dice.slice().sort().reverse().join('');
    const words = kind === PLAY ? roll + ' to play' : kind >= TAKE ? 'Take or pass?' : 'Double or not?';
    const buttons = make('ol', { class: 'choices' }), choose = make('div', {});
    choices().forEach((choice) => {
      const button = Review.button(choice.name);
      button.addEventListener('click', () => answer(choice));
      buttons.append(make('li', {}, button));
    });
    if (kind === PLAY) {
      choose.append(make('p', { class: 'turner' }, Review.button('Play', { 'data-practice-play': '' }), ' ',
        Review.button('Undo', { 'data-practice-undo': '' })), make('p', { class: 'quiet' }, 'Tap a checker on the board, or choose:'));
    }
    choose.append(buttons);
    asked = true;
    Review.show(at, '');
    const repaint = Review.draw(at, words, choose);
    if (kind === PLAY) board(repaint);
    next.textContent = 'Skip';
    say((first.has(at) ? 'Again: ' + queue.length + ' left.' : 'Error ' + (first.size + 1) + ' of ' + total + ', the costliest first.') +
      (first.size ? ' ' + tally() : ''));
    turnTo(buttons.querySelector('button'));
  }
  const known = (choice) => choice.losses.filter((loss) => loss !== null);
  // Right by all, or where no choice is, by one.
  const fits = (choice, all) => known(choice)[all ? 'every' : 'some']((loss) => loss < SIZE);
  function answer(choice) {
    const judged = known(choice), right = judged.length > 0 && fits(choice, choices().some((one) => fits(one, true)));
    if (!first.has(at)) first.set(at, right);
    asked = false;
    queue.shift();
    if (!right) queue.push(at);
    Review.draw(at);
    box.querySelectorAll('.opinions tbody tr').forEach((row) => {
      const head = row.querySelector('th');
      if (head && row.dataset.action && row.dataset.action.split(',')[0] === choice.name) head.append(make('span', { class: 'tag yours' }, 'yours'));
    });
    const losses = data.sides.map((side, index) => (choice.losses[index] > 0 ? `By ${side.label} you lose ${Review.number(choice.losses[index])}.` : side.label +
      (choice.losses[index] === 0 ? ' finds nothing better.' : side.more[at] ? ' does not list it here.' : ' does not list it.')));
    next.textContent = queue.length ? 'Next' : 'Again';
    say((right ? 'Right' : judged.length ? 'An error' : 'Not listed') + ': ' + choice.name + (choice.made ? ', as in the match' : '') + '. ' + losses.join(' '), tally());
    turnTo(next);
  }
  function begin(chosen) {
    seat = chosen;
    queue = errors();
    total = queue.length;
    first = new Map();
    next.hidden = !total;
    if (total) ask();
    else say('No error of this player has candidates to choose from.');
  }

  function start() {
    html.dataset.practice = 'who';
    at = -1;
    next.hidden = true;
    say('Whose errors?');
    panel.scrollIntoView({ block: 'nearest' });
    who.querySelector('button').focus({ preventScroll: true });
  }
  function onward() {
    if (asked) {
      first.set(at, first.get(at) || false);
      queue.push(queue.shift());
    }
    if (queue.length) ask();
    else begin(seat);
  }
  function stop() {
    Review.show(at < 0 ? data.start : at, 'replace', true);
    Review.byId('practise').focus();
  }
  Review.byId('practise').addEventListener('click', start);
  who.addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (!button) return;
    html.dataset.practice = 'on';
    who.querySelectorAll('button').forEach((one) => one.setAttribute('aria-pressed', one === button));
    begin(button.dataset.practiceSeat);
  });
  next.addEventListener('click', onward);
  part('stop').addEventListener('click', stop);
  // The keys of the page would show the answer: digits choose, n goes on, Escape ends.
  document.addEventListener('keydown', (event) => {
    if (!html.dataset.practice || event.altKey || event.ctrlKey || event.metaKey || event.target.closest('select, dialog')) return;
    const button = document.querySelectorAll('.choices button')[Number(event.key) - 1];
    const act = event.key === 'Escape' ? stop : event.key === 'n' && total ? onward : button ? () => button.click() : null;
    if (act) event.preventDefault();
    if (event.key !== '?') event.stopPropagation();
    if (act) act();
  }, true);
})();
