// A lesson sheet on paper: the errors of the list as questions, four a page, and the answers on a page of their own.
const Sheet = (() => {
  if (!Review || !byId('print-sheet')) return null;
  const { data } = Review, PLAY = 0, TAKE = 3, PASS = 4, SHOWN = 5, html = document.documentElement;

  function question(at) {
    const kind = data.kind[at], roll = Review.situation(at).dice.slice().sort().reverse().join('');
    return kind === PLAY ? say('practice.to-play', { roll }) : kind >= TAKE ? say('practice.take-or-pass') : say('practice.double-or-not');
  }
  function position(at, number) {
    const one = Review.situation(at), words = question(at), item = make('li', {}, make('h2', {}, number + '. ' + words), make('p', {}, Review.standing(one)));
    item.insertAdjacentHTML('beforeend', Board.svg(one, [], 'sheet-' + number, words, Review.isAbove(at)));
    return item;
  }
  function answer(at, number) {
    const one = Review.situation(at), item = make('li', {}, make('h3', {}, `${number}. ${one.names[0]}: ${Review.deed(at, one)}`));
    data.sides.forEach((side) => {
      const options = side.options[at].slice(0, SHOWN);
      if (side.error[at] === null) return;
      item.append(make('p', {}, `${side.label}: ${[Review.verdict(side, at), Review.summary(side, at)].filter(Boolean).join(', ')}`),
        make('ul', {}, ...options.map((option) => make('li', {}, Review.action(at, one, option) + ' ', make('span', { class: 'num' }, Review.number(option[1], true))))));
    });
    (data.comments[at] || []).forEach((text) => item.append(make('blockquote', {}, text)));
    item.append(make('p', { class: 'quiet' }, make('code', {}, Notation.xgid(one))));
    return item;
  }
  function print() {
    const asked = Review.wrong().filter((at) => data.kind[at] <= PASS), items = (of) => asked.map((at, index) => of(at, index + 1));
    const sheet = make('section', { id: 'sheet' }, make('h1', {}, document.querySelector('h1').textContent), make('ol', { id: 'questions' }, ...items(position)),
      make('h2', { id: 'answers-h' }, say('sheet.answers')), make('ol', { id: 'answers' }, ...items(answer)));
    document.body.append(sheet);
    html.dataset.paper = 'sheet';
    addEventListener('afterprint', () => {
      sheet.remove();
      delete html.dataset.paper;
    }, { once: true });
    window.print();
  }
  on(byId('print-sheet'), 'click', print);
  return { question };
})();
