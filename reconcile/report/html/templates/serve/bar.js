const address = document.querySelector('nav.served').dataset.at;
history.replaceState(null, '', address + (address.includes('#') ? '' : location.hash));
// The decision that is shown is the one to be rolled out, and what was rolled out of it stands below it.
addEventListener('DOMContentLoaded', function () {
  const form = document.getElementById('roll'), shown = document.getElementById('decision');
  const cards = Array.from(document.querySelectorAll('.rolled')), place = ['game', 'turn', 'kind'];
  if (!shown) return;
  function take() {
    if (form) place.forEach(function (name) { form.elements[name].value = shown.dataset[name]; });
    cards.forEach(function (card) {
      card.hidden = place.some(function (name) { return card.dataset[name] !== shown.dataset[name]; });
    });
  }
  shown.parentNode.after.apply(shown.parentNode, cards);
  take();
  new MutationObserver(take).observe(shown, { attributes: true });
});
