history.replaceState(null, '', document.querySelector('nav.served').dataset.at + location.hash);
// The decision that is shown is the one to be rolled out.
addEventListener('DOMContentLoaded', function () {
  const form = document.getElementById('roll'), shown = document.getElementById('decision');
  if (!form || !shown) return;
  function take() { ['game', 'turn', 'kind'].forEach(function (name) { form.elements[name].value = shown.dataset[name]; }); }
  take();
  new MutationObserver(take).observe(shown, { attributes: true });
});
