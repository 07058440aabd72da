// Exercises: one at a time, its answer on demand; what was right comes again after days, if the reader asks for that.
(() => {
  const NAME = 'reconcile exercises', DAY = 86400000, WAITS = [1, 3, 7, 14, 30, 90];
  const questions = [...byId('questions').children], answers = [...byId('answers').children], keep = byId('keep');
  const today = Math.floor(Date.now() / DAY);
  let known = {}, queue = [], right = 0, asked = 0;

  function stored(change) {
    try {
      if (change === null) localStorage.removeItem(NAME);
      else if (change) localStorage.setItem(NAME, JSON.stringify(change));
      return JSON.parse(localStorage.getItem(NAME) || 'null');
    } catch { return null; }
  }
  function show(open) {
    const at = queue[0];
    questions.forEach((one, index) => { one.hidden = index !== at; });
    answers.forEach((one, index) => { one.hidden = !open || index !== at; });
    byId('answers-h').hidden = true;
    byId('show').hidden = open || at === undefined;
    byId('right').hidden = byId('again').hidden = !open;
    byId('tally').textContent = say('exercise.left', { left: queue.length }) + (asked ? ' ' + say('exercise.tally', { right, all: asked }) : '');
  }
  function start() {
    const due = (one) => (known[one.dataset.key] || [0, 0])[1] <= today;
    queue = questions.map((one, index) => index).filter((index) => due(questions[index]));
    show(false);
  }
  function answered(was) {
    const key = questions[queue[0]].dataset.key, step = was ? Math.min((known[key] || [0])[0], WAITS.length - 1) : 0;
    known[key] = was ? [step + 1, today + WAITS[step]] : [0, today];
    asked += 1;
    right += was;
    queue = was ? queue.slice(1) : [...queue.slice(1), queue[0]];
    if (keep.checked) stored(known);
    show(false);
    byId('show').focus();
  }
  byId('show').onclick = () => { show(true); byId('right').focus(); };
  byId('right').onclick = () => answered(true);
  byId('again').onclick = () => answered(false);
  keep.onchange = () => { stored(keep.checked ? known : null); };
  const before = stored();
  if (before) [known, keep.checked] = [before, true];
  addEventListener('beforeprint', () => [...questions, ...answers, byId('answers-h')].forEach((one) => { one.hidden = false; }));
  addEventListener('afterprint', () => show(false));
  byId('practise').hidden = false;
  start();
})();
