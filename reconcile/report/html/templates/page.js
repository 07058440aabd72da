// What every page does: copying, opening what a link leads into, saying where a table goes on.
(function () {
  // Copying: buttons appear only where they work.
  function copied(button, text) {
    function done() {
      const label = button.firstChild;
      label.data = 'Copied';
      setTimeout(function () { label.data = 'Copy'; }, 1500);
    }
    function byHand() {
      const area = document.createElement('textarea');
      area.value = text;
      area.style.cssText = 'position:fixed;opacity:0';
      document.body.appendChild(area);
      area.select();
      if (document.execCommand('copy')) done();
      area.remove();
      button.focus();
    }
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, byHand);
    else byHand();
  }
  document.querySelectorAll('button.copy').forEach(function (button) { button.hidden = false; });
  document.addEventListener('click', function (event) {
    const button = event.target.closest('button.copy');
    if (button) copied(button, button.dataset.copy);
  });

  // A link into something folded opens it.
  function reveal() {
    let target = null;
    try { target = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch (error) { /* no address that a link here has */ }
    if (!target) return;
    for (let node = target; node; node = node.parentElement) if (node.tagName === 'DETAILS') node.open = true;
    target.scrollIntoView();
  }
  addEventListener('hashchange', reveal);
  reveal();

  // What goes on beyond the edge fades there, and a line above says so.
  const watched = new ResizeObserver(function (entries) { entries.forEach(function (entry) { look(entry.target); }); });
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
  document.querySelectorAll('.scroll').forEach(function (box) {
    watched.observe(box);
    box.addEventListener('scroll', function () { look(box); }, { passive: true });
  });
}());
