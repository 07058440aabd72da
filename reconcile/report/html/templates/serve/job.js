const at = document.getElementById('progress').dataset, events = new EventSource(at.events);
history.replaceState(null, '', at.at);
events.onmessage = function (event) {
  const now = JSON.parse(event.data), bar = document.getElementById('progress');
  if (now.result || now.trouble) { events.close(); location.replace(at.at); return; }
  document.getElementById('state').textContent = now.state;
  if (now.total) { bar.max = now.total; bar.value = now.done; }
};
