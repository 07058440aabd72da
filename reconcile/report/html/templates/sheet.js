// A lesson sheet on paper: positions as questions, four a page, and the answers on a page of their own.
const Sheet = (() => {
  if (!Review) return null;
  const { data } = Review, SHOWN = 5, html = document.documentElement;

  function question(at, number, words) {
    const one = Review.situation(at), item = make('li', {}, make('h2', {}, number + '. ' + words), make('p', {}, Review.standing(one)));
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
  // Of decisions with what is asked in each.
  function print(asked) {
    const sheet = make('section', { id: 'sheet' }, make('h1', {}, document.querySelector('h1').textContent), make('ol', { id: 'questions' }, ...asked.map(([at, words], index) => question(at, index + 1, words))),
      make('h2', { id: 'answers-h' }, say('sheet.answers')), make('ol', { id: 'answers' }, ...asked.map(([at], index) => answer(at, index + 1))));
    document.body.append(sheet);
    html.dataset.paper = 'sheet';
    addEventListener('afterprint', () => {
      sheet.remove();
      delete html.dataset.paper;
    }, { once: true });
    window.print();
  }
  return { print };
})();
