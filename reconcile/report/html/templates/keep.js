// How the reader wants the board, and what was right in practice; kept in this browser if asked for. Where a browser refuses that, nothing is kept.
const Keep = (() => {
  const NAME = 'reconcile match', form = byId('looks'), html = document.documentElement;
  if (!Review || !form) return null;
  const { mirrored, colours, below, keep } = form.elements;
  let kept = {}, may = true;
  function stored(act) {
    try { return act(localStorage); } catch { may = false; return null; }
  }
  function write() {
    if (keep.checked) stored((store) => store.setItem(NAME, JSON.stringify(kept)));
  }
  function looks() {
    Board.mirror(Boolean(mirrored.value));
    html.dataset.colours = colours.value;
    Review.keepBelow(below.selectedIndex > 0 ? below.selectedIndex - 1 : null);
  }
  function chosen() {
    looks();
    kept = { ...kept, mirrored: mirrored.value, colours: colours.value, below: below.value };
    write();
  }
  form.addEventListener('input', (event) => {
    if (event.target !== keep) chosen();
    else if (keep.checked) chosen();
    else stored((store) => store.removeItem(NAME));
  });
  // The key and the button of the board choose the same.
  ['keydown', 'click'].forEach((name) => document.addEventListener(name, () => {
    const seat = Review.below(), at = seat === null ? 0 : seat + 1;
    if (below.selectedIndex === at) return;
    below.selectedIndex = at;
    chosen();
  }));
  const text = stored((store) => store.getItem(NAME));
  try { kept = JSON.parse(text) || {}; } catch { kept = {}; }
  keep.checked = text !== null;
  keep.closest('p').hidden = !may;
  [mirrored, colours, below].forEach((field) => {
    const at = [...field.options].findIndex((option) => option.value === kept[field.name]);
    if (at > 0) field.selectedIndex = at;
  });
  if (form.querySelector('select:not([name=keep]) option:not(:first-child):checked')) looks();
  return {
    get: (name) => kept[name] || {},
    set(name, value) {
      kept[name] = value;
      write();
    }
  };
})();
