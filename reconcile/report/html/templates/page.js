// Copying, opening what a link leads into, folding rows, saying where a table goes on.
(() => {
  for (const one of document.querySelectorAll('button.copy')) one.hidden = false;
  // A page in a frame of a file has no clipboard of its own.
  async function copy(text) {
    if (navigator.clipboard) { await navigator.clipboard.writeText(text); return; }
    const area = document.createElement('textarea'), before = document.activeElement;
    area.value = text;
    before.after(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    before.focus();
  }
  document.addEventListener('click', (event) => {
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
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
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
      sign = document.createElement('p');
      sign.className = 'sideways';
      sign.textContent = say('page.wider');
      box.before(sign);
    }
    sign.hidden = !wide;
  }
  document.querySelectorAll('.scroll').forEach((box) => {
    watched.observe(box);
    box.addEventListener('scroll', () => { look(box); }, { passive: true });
  });
})();
