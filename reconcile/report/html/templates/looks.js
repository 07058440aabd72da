// How the reader wants the board.
const Kept = (() => {
  const form = byId('looks'), html = document.documentElement;
  if (!Review || !form) return null;
  const { mirrored, colours, below, keep } = form.elements, fields = [mirrored, colours, below], kept = Keep('reconcile match', keep);
  function looks() {
    Board.mirror(Boolean(mirrored.value));
    html.dataset.colours = colours.value;
    Review.keepBelow(below.selectedIndex > 0 ? below.selectedIndex - 1 : null);
  }
  function chosen() {
    looks();
    kept.set({ mirrored: mirrored.value, colours: colours.value, below: below.value });
  }
  fields.forEach((field) => on(field, 'input', chosen));
  // The key and the button of the board choose the same.
  ['keydown', 'click'].forEach((name) => on(document, name, () => {
    const seat = Review.below(), at = seat === null ? 0 : seat + 1;
    if (below.selectedIndex === at) return;
    below.selectedIndex = at;
    chosen();
  }));
  fields.forEach((field) => {
    const at = [...field.options].findIndex((option) => option.value === kept.get(field.name));
    if (at > 0) field.selectedIndex = at;
  });
  if (fields.some((field) => field.selectedIndex > 0)) looks();
  return kept;
})();
