// Practice: the errors of a player, the worst first. The reader chooses without seeing what was best, and reads what the choice loses.
(() => {
  const panel = Review && Review.byId('practice');
  if (!panel) return;
  const data = Review.data, make = Review.make, html = document.documentElement, PLAY = 0, DOUBLE = 2, TAKE = 3, PASS = 4, SIZE = data.size;
  const part = (name) => panel.querySelector('[data-practice-' + name + ']'), who = part('player'), said = part('said'), next = part('next');
  let list = [], place = 0, asked = false, right = [];

  // What each analysis says that every choice loses, in thousandths; null where it does not say.
  function choices(at) {
    const one = Review.situation(at), kind = data.kind[at], found = new Map();
    function add(name, side, loss, made) {
      if (!found.has(name)) found.set(name, { losses: data.sides.map(() => null), made: false });
      found.get(name).losses[side] = loss;
      found.get(name).made = found.get(name).made || made;
    }
    data.sides.forEach((side, index) => {
      const options = side.options[at], equity = options.map((option) => option[1]);
      if (kind === PLAY) {
        options.forEach((option) => add(Notation.play(one.counts, Notation.steps(option[0])), index, option[2] === null ? 0 : -option[2], option.length > 4));
      } else if (kind >= TAKE) {
        options.forEach((option) => add(data.actions[option[0]], index, option[2] === null ? 0 : -option[2], Boolean(option[3])));
      } else if (options.length) {
        const doubled = Math.min(equity[1], equity[2]), best = Math.max(equity[0], doubled);
        add('no double', index, best - equity[0], kind !== DOUBLE);
        add('double', index, best - doubled, kind === DOUBLE);
      }
    });
    found.forEach((choice) => {
      if (choice.made) data.sides.forEach((side, index) => { if (side.options[at].length) choice.losses[index] = side.error[at]; });
    });
    const names = Array.from(found.keys());
    return (kind === PLAY ? names.sort() : names).map((name) => Object.assign({ name: name }, found.get(name)));
  }
  const errors = (seat) => Array.from(document.querySelectorAll('#decisions [data-decision]'), (row) => Number(row.dataset.decision))
    .filter((at) => !data.rest.includes(at) && data.kind[at] <= PASS && (seat === '' || data.player[at] === Number(seat)) && choices(at).length > 1);
  const share = (of) => of.filter(Boolean).length + ' of ' + of.length;
  function tally() {
    const parts = [['checker', true], ['cube', false]].map((kind) => [kind[0], right.filter((_, index) => (data.kind[list[index]] === PLAY) === kind[1])]);
    return share(right) + ' right' + parts.filter((one) => one[1].length).map((one, index) => (index ? ', ' : '; ') + one[0] + ' ' + share(one[1])).join('') + '.';
  }
  function say() {
    said.replaceChildren(...Array.from(arguments).map((text) => make('p', {}, text)));
  }
  function turnTo(button) {
    button.focus({ preventScroll: true });
    panel.scrollIntoView({ block: panel.offsetTop < Review.byId('decision').offsetTop ? 'start' : 'nearest' });
  }
  function ask() {
    const at = list[place], one = Review.situation(at), kind = data.kind[at], roll = one.dice.slice().sort().reverse().join('');
    const words = kind === PLAY ? roll + ' to play' : kind >= TAKE ? 'Take or pass?' : 'Double or not?';
    const buttons = make('ol', { class: 'choices' });
    choices(at).forEach((choice) => {
      const button = make('button', { type: 'button' }, choice.name);
      button.addEventListener('click', () => answer(at, choice));
      buttons.append(make('li', {}, button));
    });
    asked = true;
    Review.show(at, '');
    Review.draw(at, words, buttons);
    next.textContent = 'Skip';
    say('Error ' + (place + 1) + ' of ' + list.length + ', the worst first.' + (right.length ? ' ' + tally() : ''));
    turnTo(buttons.querySelector('button'));
  }
  function answer(at, choice) {
    const judged = choice.losses.filter((loss) => loss !== null);
    right[place] = judged.length > 0 && judged.every((loss) => loss < SIZE);
    asked = false;
    Review.draw(at);
    const losses = data.sides.map((side, index) => side.label + ' ' + (choice.losses[index] === null ? 'does not list it' :
      choice.losses[index] > 0 ? 'loses ' + Review.number(choice.losses[index]) : 'finds nothing better'));
    next.textContent = place + 1 < list.length ? 'Next' : 'Again';
    say((right[place] ? 'Right' : 'An error') + ': ' + choice.name + (choice.made ? ', as in the match' : '') + '. ' + losses.join('; ') + '.', tally());
    turnTo(next);
  }
  function start() {
    list = errors(who.value);
    place = 0;
    right = [];
    html.dataset.practice = 'on';
    next.hidden = !list.length;
    if (list.length) ask();
    else say('No error of this player has candidates to choose from.');
  }
  function onward() {
    if (asked) right[place] = false;
    place += 1;
    if (place < list.length) ask();
    else if (asked) { asked = false; Review.draw(list[place - 1]); say('That was the last. ' + tally()); next.textContent = 'Again'; }
    else start();
  }
  function stop() {
    Review.show(list.length ? list[Math.min(place, list.length - 1)] : data.start, 'replace', true);
    Review.byId('practise').focus();
  }
  Review.byId('practise').addEventListener('click', start);
  who.addEventListener('change', start);
  next.addEventListener('click', onward);
  part('stop').addEventListener('click', stop);
  // While something is asked the keys of the page would show the answer: digits choose, n goes on, Escape ends.
  document.addEventListener('keydown', (event) => {
    if (!html.dataset.practice || event.altKey || event.ctrlKey || event.metaKey || event.target.closest('select, dialog')) return;
    const button = document.querySelectorAll('.choices button')[Number(event.key) - 1];
    const act = event.key === 'Escape' ? stop : event.key === 'n' && list.length ? onward : button ? () => button.click() : null;
    if (act) event.preventDefault();
    if (act || ['ArrowLeft', 'ArrowRight', 'Home', 'End', 'p', 'f'].includes(event.key)) event.stopPropagation();
    if (act) act();
  }, true);
})();
