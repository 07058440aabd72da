history.replaceState(null, '', document.querySelector('nav.served').dataset.at + location.hash);
// The decision that is shown is the one to be rolled out; its button is below it as well.
(function () {
  const form = document.getElementById('roll');
  if (!form) return;
  addEventListener('DOMContentLoaded', function () {
    const shown = document.getElementById('decision');
    if (!shown) return;
    function take() { ['game', 'turn', 'kind'].forEach(function (name) { form.elements[name].value = shown.dataset[name]; }); }
    take();
    new MutationObserver(take).observe(shown, { attributes: true });
    const button = document.createElement('button');
    button.type = 'submit';
    button.className = 'act';
    button.id = 'roll-this';
    button.textContent = 'Roll this out';
    button.setAttribute('form', 'roll');
    shown.after(button);
  });
})();
