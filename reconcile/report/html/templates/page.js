// What every page does: copying, opening what a link leads into, saying where a table goes on.
(() => {
  // Copying: buttons appear only where they work.
  function copied(button, text) {
    function done() {
      const label = button.firstChild;
      label.data = 'Copied';
      setTimeout(() => { label.data = 'Copy'; }, 1500);
    }
    navigator.clipboard.writeText(text).then(done);
  }
  if (navigator.clipboard) document.querySelectorAll('button.copy').forEach((button) => { button.hidden = false; });
  document.addEventListener('click', (event) => {
    const button = event.target.closest('button.copy');
    if (button) copied(button, button.dataset.copy);
  });

  // A link into something folded opens it.
  function reveal() {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    for (let node = target; node; node = node.parentElement) if (node.tagName === 'DETAILS') node.open = true;
    target.scrollIntoView();
  }
  addEventListener('hashchange', reveal);
  reveal();

  // What goes on beyond the edge fades there, and a line above says so.
  const watched = new ResizeObserver((entries) => { entries.forEach((entry) => { look(entry.target); }); });
  function look(box) {
    const wide = box.scrollWidth > box.clientWidth + 1;
    box.classList.toggle('more', wide && box.scrollLeft + box.clientWidth < box.scrollWidth - 2);
    let sign = box.previousElementSibling;
    if (!sign || !sign.classList.contains('sideways')) {
      if (!wide) return;
      sign = document.createElement('p');
      sign.className = 'sideways';
      sign.textContent = 'Wider than the window: scroll it sideways \u2192';
      box.before(sign);
    }
    sign.hidden = !wide;
  }
  document.querySelectorAll('.scroll').forEach((box) => {
    watched.observe(box);
    box.addEventListener('scroll', () => { look(box); }, { passive: true });
  });
})();
