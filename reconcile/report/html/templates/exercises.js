// Exercises: one at a time, its answer on demand.
(() => {
  const questions = [...byId('questions').children], answers = [...byId('answers').children], kept = Keep('reconcile exercises', byId('keep'));
  let queue = questions.map((_, index) => index).filter((index) => kept.due(questions[index].dataset.key)), right = 0, asked = 0;

  function show(open) {
    const at = queue[0];
    questions.forEach((one, index) => { one.hidden = index !== at; });
    answers.forEach((one, index) => { one.hidden = !open || index !== at; });
    byId('answers-h').hidden = true;
    byId('show').hidden = open || at === undefined;
    byId('right').hidden = byId('again').hidden = !open;
    byId('tally').textContent = say('exercise.left', { left: queue.length }) + (asked ? ' ' + say('exercise.tally', { right, all: asked }) : '');
  }
  function answered(was) {
    kept.answered(questions[queue[0]].dataset.key, was);
    asked += 1;
    right += was;
    queue = was ? queue.slice(1) : [...queue.slice(1), queue[0]];
    show(false);
    byId('show').focus();
  }
  byId('show').onclick = () => { show(true); byId('right').focus(); };
  byId('right').onclick = () => answered(true);
  byId('again').onclick = () => answered(false);
  on(window, 'beforeprint', () => [...questions, ...answers, byId('answers-h')].forEach((one) => { one.hidden = false; }));
  on(window, 'afterprint', () => show(false));
  byId('practise').hidden = false;
  show(false);
})();
