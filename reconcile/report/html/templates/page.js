// What every page does: makes elements, saves, copies, opens what a link leads into, folds rows, says where a table goes on.
const { byId, on, set, make, save } = (() => {
  const byId = (name) => document.getElementById(name), on = (what, name, act, how) => what.addEventListener(name, act, how);
  function set(element, attributes) {
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    return element;
  }
  function make(name, attributes, ...children) {
    const made = set(document.createElement(name), attributes);
    made.append(...children.filter(Boolean));
    return made;
  }
  const save = (href, name) => make('a', { href, download: name }).click();
  // No form is sent, and a link to nothing leads nowhere.
  on(document, 'submit', (event) => event.preventDefault());
  on(document, 'click', (event) => { if (event.target.closest('a[href="#"]')) event.preventDefault(); });

  for (const one of document.querySelectorAll('button.copy')) one.hidden = false;
  // A page in a frame of a file has no clipboard of its own.
  async function copy(text) {
    if (navigator.clipboard) { await navigator.clipboard.writeText(text); return; }
    const area = make('textarea'), before = document.activeElement;
    area.value = text;
    before.after(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    before.focus();
  }
  on(document, 'click', (event) => {
    const button = event.target.closest('button.copy'), label = button && button.firstChild;
    if (button) copy(button.dataset.copy).then(() => {
      button.dataset.label = button.dataset.label || label.data;
      label.data = say('page.copied');
      setTimeout(() => { label.data = button.dataset.label; }, 1500);
    });
  });

  // On a phone rows fold.
  if (innerWidth < 561) for (const one of document.querySelectorAll('.rows')) one.open = false;

  addEventListener('beforeprint', () => { for (const one of document.querySelectorAll('.rows, .notes details')) one.open = true; });

  // A link into something folded opens it.
  function reveal() {
    const target = byId(location.hash.slice(1));
    if (!target || target.closest('#strip')) return;
    for (let node = target; node; node = node.parentElement) if (node.tagName === 'DETAILS') node.open = true;
    target.scrollIntoView();
  }
  addEventListener('hashchange', reveal);
  reveal();

  // What goes on beyond the edge fades there.
  const watched = new ResizeObserver((entries) => { for (const one of entries) look(one.target); });
  function look(box) {
    // Paper is laid out once.
    if (matchMedia('print').matches) return;
    const wide = box.scrollWidth > box.clientWidth + 1;
    box.classList.toggle('more', wide && box.scrollLeft + box.clientWidth < box.scrollWidth - 2);
    let sign = box.previousElementSibling;
    if (!sign || !sign.classList.contains('sideways')) {
      if (!wide) return;
      sign = make('p', { class: 'sideways' }, say('page.wider'));
      box.before(sign);
    }
    sign.hidden = !wide;
  }
  document.querySelectorAll('.scroll').forEach((box) => {
    watched.observe(box);
    on(box, 'scroll', () => { look(box); }, { passive: true });
  });
  return { byId, on, set, make, save };
})();
