const at = document.getElementById('progress').dataset.at;
history.replaceState(null, '', at);
setInterval(function () {
  fetch(at).then(function (answer) { return answer.text(); }).then(function (text) {
    const page = new DOMParser().parseFromString(text, 'text/html'), now = page.getElementById('progress');
    if (!now) { location.replace(at); return; }
    const bar = document.getElementById('progress');
    document.getElementById('state').textContent = page.getElementById('state').textContent;
    if (now.max > 1) { bar.max = now.max; bar.value = now.value; }
  });
}, 1000);
