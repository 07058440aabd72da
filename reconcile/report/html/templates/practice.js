// Practice: errors of a player, the costliest first.
(() => {
  const panel = Review && byId('practice');
  if (!panel) return;
  const { data } = Review, html = document.documentElement, box = byId('decision'), PLAY = 0, DOUBLE = 2, TAKE = 3, PASS = 4, SIZE = data.size;
  const part = (name) => panel.querySelector('[data-practice-' + name + ']'), who = part('who'), said = part('said'), next = part('next');
  let seat = '', total = 0, queue = [], at = -1, asked = false, steps = [], first = new Map();

  // What every choice loses by each analysis, in thousandths; null is unknown.
  function choices() {
    const one = Review.situation(at), kind = data.kind[at], names = Review.actions(at), found = new Map();
    function add(name, side, loss, made, rows = [name]) {
      if (!found.has(name)) found.set(name, { name, rows, losses: data.sides.map(() => null), made: false });
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
        add(names[0], index, best - equity[0], kind !== DOUBLE);
        add(one.owner ? say('practice.redouble') : say('practice.double'), index, best - doubled, kind === DOUBLE, names.slice(1, 3));
      }
    });
    found.forEach((choice) => {
      if (choice.made) data.sides.forEach((side, index) => { if (side.options[at].length) choice.losses[index] = side.error[at]; });
    });
    return kind === PLAY ? [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1)) : [...found.values()];
  }
  // By theme: of a phase, of a kind, of a size.
  const themes = [...panel.querySelectorAll('[data-practice-of]')];
  function fitting(index) {
    const is = { kind: (value) => value === (data.kind[index] === PLAY ? 'checker' : 'cube'), phase: (value) => value === data.phase[index], size: (value) => data.worst[index] >= 100 * value };
    return themes.every((one) => !one.value || is[one.dataset.practiceOf](one.value));
  }
  const name = (index) => Notation.xgid(Review.situation(index)) + data.kind[index];
  // Where nothing is due everything is.
  function due(all) {
    const some = all.filter((index) => Kept.due(name(index)));
    return some.length ? some : all;
  }
  function errors() {
    const here = at, found = Review.errors.filter((index) => {
      at = index;
      return fitting(index) && data.kind[index] <= PASS && (!seat || seat === String(data.player[index])) && choices().length > 1;
    });
    at = here;
    return found;
  }
  function tally() {
    const every = [...first], share = (of) => ({ right: of.filter((one) => one[1]).length, all: of.length });
    const [plays, cubes] = [true, false].map((is) => every.filter((one) => (data.kind[one[0]] === PLAY) === is));
    const kinds = [plays[0] && say('practice.checker', share(plays)), cubes[0] && say('practice.cube', share(cubes))].filter(Boolean).join(', ');
    return say('practice.tally', { ...share(every), kinds });
  }
  const tell = (...texts) => said.replaceChildren(...texts.map((text) => make('p', {}, text)));
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
      play.textContent = steps.length || !open.length ? say('practice.play-this', { play: Notation.play(one.counts, steps) }) : say('practice.play');
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
      answer(listed || { name: Notation.play(one.counts, steps), rows: [], losses: data.sides.map(() => null), made: false });
    });
    redraw();
  }
  function ask() {
    at = queue[0];
    const kind = data.kind[at], buttons = make('ol', { class: 'choices' }), choose = make('div', {});
    choices().forEach((choice) => {
      const button = Review.button(choice.name);
      button.addEventListener('click', () => answer(choice));
      buttons.append(make('li', {}, button));
    });
    if (kind === PLAY) {
      choose.append(make('p', { class: 'turner' }, Review.button(say('practice.play'), { 'data-practice-play': '' }), ' ',
        Review.button(say('practice.undo'), { 'data-practice-undo': '' })), make('p', { class: 'quiet' }, say('practice.tap')));
    }
    choose.append(buttons);
    asked = true;
    Review.show(at, '');
    const repaint = Review.draw(at, Sheet.question(at), choose);
    if (kind === PLAY) board(repaint);
    next.textContent = say('practice.skip');
    tell((first.has(at) ? say('practice.again-left', { left: queue.length }) : say('practice.error-of', { number: first.size + 1, all: total })) +
      (first.size ? ' ' + tally() : ''));
    turnTo(buttons.querySelector('button'));
  }
  const known = (choice) => choice.losses.filter((loss) => loss !== null);
  // Right by all, or where no choice is, by one.
  const fits = (choice, all) => known(choice)[all ? 'every' : 'some']((loss) => loss < SIZE);
  function answer(choice) {
    const judged = known(choice), right = judged.length > 0 && fits(choice, choices().some((one) => fits(one, true)));
    if (!first.has(at)) {
      first.set(at, right);
      Kept.answered(name(at), right);
    }
    asked = false;
    queue.shift();
    if (!right) queue.push(at);
    Review.draw(at);
    box.querySelectorAll('.opinions tbody tr').forEach((row) => {
      const head = row.querySelector('th');
      if (head && choice.rows.includes(row.dataset.action)) head.append(make('span', { class: 'tag yours' }, say('practice.yours')));
    });
    const losses = data.sides.map((side, index) => {
      const loss = choice.losses[index], by = { label: side.label };
      if (loss > 0) return say('practice.lose', { ...by, loss: Review.number(loss) });
      return loss === 0 ? say('practice.nothing-better', by) : side.more[at] ? say('practice.not-listed-here', by) : say('practice.not-listed', by);
    });
    next.textContent = queue.length ? say('practice.next') : say('practice.again');
    const named = { choice: choice.made ? say('practice.as-made', { choice: choice.name }) : choice.name };
    const verdict = right ? say('practice.right', named) : judged.length ? say('practice.wrong', named) : say('practice.unlisted', named);
    tell(verdict + ' ' + losses.join(' '), tally());
    turnTo(next);
  }
  function begin(chosen) {
    seat = chosen;
    queue = due(errors());
    total = queue.length;
    first = new Map();
    next.hidden = !total;
    if (total) ask();
    else tell(say('practice.none'));
  }

  function start() {
    html.dataset.practice = 'who';
    at = -1;
    next.hidden = true;
    tell(say('practice.whose'));
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
    byId('practise').focus();
  }
  byId('practise').addEventListener('click', start);
  who.addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (!button) return;
    html.dataset.practice = 'on';
    who.querySelectorAll('button').forEach((one) => one.setAttribute('aria-pressed', one === button));
    begin(button.dataset.practiceSeat);
  });
  themes.forEach((one) => one.addEventListener('input', () => { if (html.dataset.practice === 'on') begin(seat); }));
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
