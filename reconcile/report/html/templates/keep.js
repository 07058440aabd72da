// What a page keeps in this browser while a box is ticked; where a browser refuses that, nothing is kept and there is no box. What was right comes again after days.
function Keep(name, box) {
  const DAY = 86400000, WAITS = [1, 3, 7, 14, 30, 90], today = Math.floor(Date.now() / DAY);
  let values = {}, may = true;
  function stored(act) {
    try { return act(localStorage); } catch { may = false; return null; }
  }
  function set(changes) {
    Object.assign(values, changes);
    if (box.checked) stored((store) => store.setItem(name, JSON.stringify(values)));
  }
  const text = stored((store) => store.getItem(name)), known = (key) => (values.right || {})[key] || [0, 0];
  try { values = JSON.parse(text) || {}; } catch { values = {}; }
  box.checked = text !== null;
  box.closest('p').hidden = !may;
  on(box, 'input', () => (box.checked ? set({}) : stored((store) => store.removeItem(name))));
  return {
    get: (field) => values[field],
    set,
    due: (key) => known(key)[1] <= today,
    answered(key, right) {
      const step = right ? Math.min(known(key)[0], WAITS.length - 1) : 0;
      set({ right: { ...values.right, [key]: right ? [step + 1, today + WAITS[step]] : [0, today] } });
    }
  };
}
