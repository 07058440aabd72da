// The page: what was dropped, chosen or typed becomes a question to Python, which runs in a worker; its answer is shown in a frame.
(function () {
  const MOST_MEMORY = 768 * 2 ** 20, root = document.documentElement, at = function (id) { return document.getElementById(id); };
  const parts = JSON.parse(at('parts').textContent), frame = at('page');
  let worker = null, ready = false, asked = null, busy = 0, number = 0, loaded = null, shown = [], told = null, saving = null;

  function state(now, sentence) {
    at('result').hidden = now !== 'done';
    at('sentence').textContent = sentence || '';
    at('stop').hidden = now !== 'working';
    root.dataset.state = now;
  }

  function step(text, part) {
    at('step').textContent = text;
    if (part === undefined) at('bar').removeAttribute('value'); else at('bar').value = part;
  }

  const megabytes = function (bytes) { return (bytes / 2 ** 20).toFixed(1); };

  // The parts: text in this page, or files beside it.
  async function content(part, come) {
    if (!part.at) return at('part-' + part.name).textContent;
    const answer = await fetch(part.at), pieces = [];
    if (!answer.ok) throw new Error(part.at + ' is not beside this page');
    const reader = answer.body.getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) { pieces.push(piece.value); come(piece.value.length); }
    return new Uint8Array(await new Blob(pieces).arrayBuffer());
  }

  async function text(part) {
    const bytes = typeof part === 'string' ? Uint8Array.from(atob(part), function (one) { return one.charCodeAt(0); }) : part;
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
  }

  async function load() {
    const all = parts.reduce(function (sum, part) { return sum + part.bytes; }, 0), found = {};
    let here = 0;
    const come = function (bytes) { here += bytes; step('Loading ' + megabytes(here) + ' of ' + megabytes(all) + ' MB', here / all); };
    await Promise.all(parts.map(async function (part) {
      found[part.name] = await content(part, come);
      if (!part.at) come(part.bytes);
    }));
    const scripts = await Promise.all(['pyodide.asm.js', 'pyodide.js', 'worker.js'].map(function (name) {
      const script = text(found[name]);
      delete found[name];
      return script;
    }));
    return { parts: found, script: URL.createObjectURL(new Blob([scripts.join('\n')], { type: 'text/javascript' })) };
  }

  async function begin() {
    if (worker) worker.terminate();
    worker = null;
    ready = false;
    busy = 0;
    try {
      loaded = loaded || await load();
      worker = new Worker(loaded.script);
    } catch (error) {
      state('failed', 'This browser cannot run the page: ' + error.message);
      return;
    }
    worker.onmessage = heard;
    worker.onerror = function (event) { state('failed', 'This browser cannot run the page: ' + event.message); };
    worker.postMessage({ parts: loaded.parts });
  }

  function heard(event) {
    const said = event.data;
    if (said.memory) root.dataset.memory = said.memory;
    if (said.step) { if (!busy) step(said.step); return; }
    if (said.broken) { state('failed', said.broken); return; }
    if (said.ready) {
      ready = true;
      if (root.dataset.state === 'loading') state('ready');
    } else {
      busy = 0;
      if (said.number === number) show(said.found);
      if (said.found.broken || said.memory > MOST_MEMORY) { begin(); return; }
    }
    next();
  }

  function next() {
    if (!asked || !ready || busy) return;
    const question = asked;
    asked = null;
    busy = question.number;
    step((question.kind === 'investigate' ? 'Looking for the rules: ' : question.names.length > 1 ? 'Comparing ' : 'Reading ') + question.names.join(', ') + ' …');
    worker.postMessage(question);
  }

  // Asking.
  async function ask(question) {
    question.number = ++number;
    state('working');
    saving = question.form ? saving : null;
    if (question.chosen) {
      question.names = question.chosen.map(function (file) { return file.name; });
      try {
        question.given = await Promise.all(question.chosen.map(async function (file) { return { name: file.name, bytes: await file.arrayBuffer() }; }));
      } catch (error) {
        if (question.number === number) state('failed', 'A file cannot be read: ' + error.message);
        return;
      }
      delete question.chosen;
    }
    if (question.number !== number) return;  // something else was chosen meanwhile
    if (!question.form) told = { question: { kind: question.kind, given: question.given, example: question.example, names: question.names, fields: question.fields }, players: question.players || [] };
    asked = question;
    next();
  }

  function fields(form) {
    const typed = {};
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') typed[name] = value;
    return typed;
  }

  const files = at('files'), form = at('open');
  function chosen() {
    const list = Array.from(files.files);
    files.value = '';  // or the same files, saved anew, could not be chosen again
    ask({ kind: 'open', chosen: list });
  }
  form.addEventListener('submit', function (event) {
    const fits = !event.defaultPrevented;
    event.preventDefault();
    if (fits) chosen(); else state(ready ? 'failed' : 'loading', at('told').textContent);
  });
  files.addEventListener('change', function () { form.requestSubmit(); });
  document.querySelectorAll('[data-example]').forEach(function (link) {
    link.addEventListener('click', function (event) {
      event.preventDefault();
      ask({ kind: 'open', example: link.dataset.example, names: [link.textContent] });
    });
  });
  at('asked').addEventListener('submit', function (event) {
    event.preventDefault();
    ask({ kind: 'investigate', chosen: [at('saw').files[0]], fields: fields(event.target) });
  });
  at('again').addEventListener('submit', function (event) {
    event.preventDefault();
    const before = told.question;
    ask({ kind: 'investigate', given: before.given && before.given.slice(0, 1), example: before.example, names: told.found.files.slice(0, 1), players: told.players, fields: fields(event.target) });
  });
  at('stop').addEventListener('click', function () {
    number++;
    asked = null;
    state('loading');
    begin();
  });
  at('other').addEventListener('click', function (event) { event.preventDefault(); state('ready'); files.focus(); });

  // Showing.
  function address(bytes, kind) {
    const made = URL.createObjectURL(new Blob([bytes], { type: kind }));
    shown.push(made);
    return made;
  }

  // The pages of a folder: their links have no way from one to the other here, so they are chosen above them.
  function folder(names, contents) {
    const pages = names.map(function (name, i) {
      const text = new TextDecoder().decode(contents[i]).replace(/ href="[^"#/:?]+\.html(#[^"]*)?"/g, '');
      const title = new DOMParser().parseFromString(text, 'text/html').title;
      return new Option(title, address(text, 'text/html'), false, name === 'index.html');
    });
    at('pages').replaceChildren.apply(at('pages'), pages);
    at('pages').closest('li').hidden = !pages.length;
    return at('pages').value;
  }

  function show(found) {
    if (found.failed) { state('failed', found.sentence); return; }
    const stem = found.files[0].replace(/^.*\//, '').replace(/\.[^.]*$/, '') || 'reconcile';
    if (saving) {
      const link = document.createElement('a');
      link.href = address(found.bytes, 'application/octet-stream');
      link.download = stem + '.' + (found.pages.length ? 'zip' : saving);
      link.click();
      saving = null;
      state('done', told.found.sentence);
      return;
    }
    shown.splice(0).forEach(URL.revokeObjectURL);
    told.found = found;
    const save = at('save'), several = found.pages.length > 0;
    save.href = address(found.bytes, several ? 'application/zip' : 'text/html');
    save.download = stem + (several ? '.zip' : '.html');
    frame.src = folder(found.pages, found.contents) || save.href;
    found.contents = null;
    at('save-md').parentNode.hidden = told.question.kind === 'open' && found.files.length === 1 && !several;
    const players = at('again').elements.player;
    if (found.players.length) told.players = found.players;
    players.replaceChildren.apply(players, told.players.map(function (name) { return new Option(name); }));
    at('again').closest('details').hidden = !told.players.length;
    at('again').closest('details').open = false;
    state('done', found.sentence);
  }

  frame.addEventListener('load', function () { if (root.dataset.state === 'done') frame.focus(); });  // so that its keys work
  at('pages').addEventListener('change', function () { frame.src = at('pages').value; });
  ['json', 'md'].forEach(function (ending) {
    at('save-' + ending).addEventListener('click', function (event) {
      event.preventDefault();
      saving = ending;
      ask(Object.assign({ form: ending }, told.question));
    });
  });

  // An address may say what somebody saw: #player=Nora&pr=7.23
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    const field = at('asked').elements[name];
    if (field && field.type !== 'file') { field.value = value; at('asked').scrollIntoView(); }
  }

  state('loading');
  step('Loading …');
  addEventListener('DOMContentLoaded', begin);
})();
