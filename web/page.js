// The page: what was dropped, chosen or typed becomes a question to Python, which runs in a worker; its answer is shown in a frame.
(function () {
  const MOST_MEMORY = 768 * 2 ** 20, MOST_RESULTS = 40, root = document.documentElement, at = function (id) { return document.getElementById(id); };
  const parts = JSON.parse(at('parts').textContent), results = [];
  let worker = null, ready = false, asked = null, busy = null, number = 0, loaded = null, here = -1, wanted = '';

  function state(now, sentence) {
    at('result').hidden = now !== 'done';
    at('sentence').textContent = sentence || '';
    at('stop').hidden = now !== 'working';
    root.dataset.state = now;
  }

  function step(text, part) {
    at('step').textContent = text;
    if (part === undefined) at('loading').removeAttribute('value'); else at('loading').value = part;
  }

  // Work that goes on while a result is shown.
  function working(text, part) {
    at('working').hidden = !text;
    at('doing').textContent = text || '';
    if (part === undefined) at('part').removeAttribute('value'); else at('part').value = part;
  }

  // The pages of results follow the browser.
  const language = navigator.languages.map(function (name) { return name.slice(0, 2); }).find(function (name) { return at('open').dataset.languages.split(' ').includes(name); });
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
    busy = null;
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
    if (said.doing) {
      if (!busy || busy.number !== number) return;
      if (busy.quiet) working(busy.name + ': ' + said.doing, said.part); else step(said.doing, said.part);
      return;
    }
    if (said.step) { if (!busy) step(said.step); return; }
    if (said.broken) { state('failed', said.broken); return; }
    if (said.ready) {
      ready = true;
      if (root.dataset.state === 'loading') state('ready');
    } else {
      const question = busy;
      busy = null;
      if (said.number === number) show(said.found, question);
      if (said.found.broken || said.memory > MOST_MEMORY) { begin(); return; }
    }
    next();
  }

  function next() {
    if (!asked || !ready || busy) return;
    busy = asked;
    asked = null;
    const names = busy.names.length > 3 ? busy.names.length + ' files' : busy.names.join(', ');
    if (busy.quiet) working(busy.name + ' …');
    else step((busy.kind === 'investigate' ? 'Looking for the rules: ' : busy.names.length > 1 ? 'Comparing ' : 'Reading ') + names + ' …');
    worker.postMessage(busy);
  }

  // Asking. A quiet question leaves on the screen what is there.
  async function ask(question) {
    question.number = ++number;
    question.language = language;
    working();
    if (!question.quiet) state('working');
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
    asked = question;
    next();
  }

  // The question of the result that is shown, changed.
  function again(changes) {
    const before = results[here].question;
    ask(Object.assign({ kind: 'open', given: before.given, example: before.example, names: before.names, fields: before.fields, part: before.part, plies: before.plies }, changes));
  }

  function fields(form) {
    const typed = {};
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') typed[name] = value;
    return typed;
  }

  // Choosing and dropping.
  const files = at('files'), form = at('open');
  function fits(list) {
    const bytes = list.reduce(function (sum, file) { return sum + file.size; }, 0), most = Number(form.dataset.most);
    at('told').textContent = list.length > Number(form.dataset.files) ? 'Choose at most ' + form.dataset.files + ' files.'
      : bytes > most ? 'These files have more than ' + (most >> 20) + ' MB, which no match has. Is it the right file?' : '';
    return !at('told').textContent;
  }
  function chosen(list) {
    files.value = '';  // or the same files, saved anew, could not be chosen again
    if (!list.length) return;
    if (fits(list)) ask({ kind: 'open', chosen: list }); else state(ready ? 'failed' : 'loading', at('told').textContent);
  }
  files.addEventListener('change', function () { chosen(Array.from(files.files)); });
  form.addEventListener('submit', function (event) { event.preventDefault(); });
  ['dragenter', 'dragover'].forEach(function (name) {
    addEventListener(name, function (event) { event.preventDefault(); form.classList.add('over'); });
  });
  addEventListener('dragleave', function (event) { if (!event.relatedTarget) form.classList.remove('over'); });
  addEventListener('drop', async function (event) {
    event.preventDefault();
    form.classList.remove('over');
    const entries = Array.from(event.dataTransfer.items, function (item) { return item.webkitGetAsEntry && item.webkitGetAsEntry(); });
    if (!entries.some(function (one) { return one && one.isDirectory; })) { chosen(Array.from(event.dataTransfer.files)); return; }
    chosen((await Promise.all(entries.filter(Boolean).map(within))).flat(Infinity));
  });
  // The files of an entry, of a folder all below it that are not hidden; a folder gives its entries a hundred at a time.
  function within(entry) {
    if (entry.name.startsWith('.')) return [];
    if (entry.isFile) return new Promise(function (done) { entry.file(done, function () { done([]); }); });
    const reader = entry.createReader();
    return new Promise(function (done) {
      const found = [];
      (function more() {
        reader.readEntries(function (some) {
          if (!some.length) { done(Promise.all(found)); return; }
          found.push.apply(found, some.map(within));
          more();
        }, function () { done(Promise.all(found)); });
      })();
    });
  }
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
    const before = results[here].question;
    again({ kind: 'investigate', given: before.given && before.given.slice(0, 1), names: before.names.slice(0, 1), fields: fields(event.target), plies: undefined });
  });
  at('options').addEventListener('submit', function (event) {
    event.preventDefault();
    again({ fields: fields(event.target) });
  });
  at('practise').addEventListener('submit', function (event) {
    event.preventDefault();
    again({ kind: 'practise', fields: fields(event.target) });
  });
  at('second').addEventListener('click', function () { again({ plies: 2, quiet: true, name: 'Open Sage, 2-ply' }); });
  at('third').addEventListener('click', function () { again({ plies: 3, quiet: true, name: 'Open Sage, 3-ply' }); });
  function deeper(plies) {
    again({ kind: 'deeper', decision: results[here].shown, shown: results[here].question.plies, plies: plies, quiet: true, name: 'Open Sage, ' + plies + '-ply' });
  }
  at('deeper').addEventListener('click', function () { deeper(3); });
  at('looked').addEventListener('click', function (event) {
    if (event.target.dataset.plies) deeper(Number(event.target.dataset.plies));
    if ('close' in event.target.dataset) at('looked').hidden = true;
  });
  function stopped() {
    number++;
    asked = null;
    working();
    if (root.dataset.state !== 'done') state('loading');
    begin();
  }
  at('stop').addEventListener('click', stopped);
  at('halt').addEventListener('click', stopped);
  at('other').addEventListener('click', function (event) {
    event.preventDefault();
    history.pushState(null, '', '#');
    start();
    files.focus();
  });

  // Showing.
  function start() {
    at('session').hidden = !results.length;
    at('session').querySelector('ul').replaceChildren.apply(at('session').querySelector('ul'), results.map(function (each, index) {
      const item = document.createElement('li'), link = document.createElement('a');
      link.href = '#';
      link.textContent = each.found.title + ': ' + each.found.sentence;
      link.addEventListener('click', function (event) { event.preventDefault(); history.pushState({ at: index }, '', address(each)); present(index); });
      item.append(link);
      return item;
    }).reverse());
    state('ready');
  }
  addEventListener('popstate', function (event) {
    if (event.state && results[event.state.at]) present(event.state.at); else if (root.dataset.state === 'done') start();
  });

  function address(result) {
    const words = { match: result.found.title };
    if (result.question.example) words.example = result.question.example;
    if (result.decision) words.decision = result.decision;
    return '#' + new URLSearchParams(words);
  }

  function download(bytes, name) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
    link.download = name;
    link.click();
    setTimeout(function () { URL.revokeObjectURL(link.href); }, 60000);
  }

  function stem(found) { return found.files[0].replace(/^.*\//, '').replace(/\.[^.]*$/, '') || 'reconcile'; }

  function show(found, question) {
    working();
    if (found.failed && question.quiet) { looked(found.sentence, [], 4); return; }
    if (found.failed) { state('failed', found.sentence); return; }
    if (question.form) { download(found.bytes, stem(found) + '.' + (question.every ? 'zip' : question.form)); return; }
    if (question.kind === 'deeper') { looked(found.sentence, found.rows, question.plies); return; }
    const result = { question: question, found: found, decision: wanted, url: found.bytes && URL.createObjectURL(new Blob([found.bytes], { type: 'text/html' })) };
    delete found.bytes;
    wanted = '';
    if (question.replaces !== undefined) {
      result.decision = results[question.replaces].decision;
      URL.revokeObjectURL(results[question.replaces].url);
      results[question.replaces] = result;
    } else {
      results.push(result);
      if (results.length > MOST_RESULTS) { const old = results[results.length - MOST_RESULTS - 1]; if (old.url) URL.revokeObjectURL(old.url); }
      history.pushState({ at: results.length - 1 }, '', address(result));
    }
    present(question.replaces === undefined ? results.length - 1 : question.replaces);
    // A transcript gets a first look, which a deeper one replaces.
    const next = found.unanalysed ? 1 : found.first ? 2 : 0;
    if (next) again({ plies: next, quiet: true, replaces: here, name: (next === 1 ? 'A first look by' : 'In place of the first look,') + ' Open Sage, ' + next + '-ply' });
  }

  function present(index) {
    here = index;
    const result = results[index], found = result.found, plies = result.question.plies || 0, is_match = found.count !== undefined;
    at('matches').hidden = !found.matches;
    at('looked').hidden = true;
    const frame = at('page'), fresh = frame.cloneNode();
    fresh.hidden = !result.url;
    fresh.removeAttribute('src');
    if (result.url) fresh.src = result.url + (result.decision ? '#' + result.decision : '');
    frame.replaceWith(fresh);  // a new frame has no history of its own
    fresh.addEventListener('load', function () { if (root.dataset.state === 'done' && !document.querySelector('#bar :focus')) fresh.focus(); });  // so that its keys work
    if (found.matches) table(found);
    at('save').href = result.url || '#';
    at('save').download = stem(found) + '.html';
    at('save-md').parentNode.hidden = found.count === 1 || Boolean(found.alone);
    at('save-json').parentNode.hidden = Boolean(found.alone);
    at('practise').hidden = !is_match && !found.matches;
    document.querySelectorAll('.of-match').forEach(function (one) { one.hidden = !is_match; });
    at('level').textContent = found.level ? 'Open Sage, ' + found.level + (found.first ? ', a first look' : '') : '';
    at('second').textContent = found.unanalysed ? 'Analyse it, 2-ply' : 'Second opinion by Open Sage, 2-ply';
    at('second').hidden = plies > 1;
    at('third').hidden = plies !== 2;
    at('deeper').hidden = true;
    root.dataset.plies = plies;
    at('options').querySelectorAll('[data-of]').forEach(function (label) { label.hidden = !label.dataset.of.includes(String(Math.min(found.count, 3))); });
    const typed = result.question.fields || {};
    [at('options').elements.player, at('again').elements.player, at('practise').querySelector('select')].forEach(function (players, i) {
      players.replaceChildren.apply(players, [...(i ? [] : [new Option('both', '')]), ...(found.players || []).map(function (name) { return new Option(name); })]);
    });
    Array.from(at('options').elements).forEach(function (field) { if (field.name) field.value = typed[field.name] || ''; });
    at('bar').querySelectorAll('details').forEach(function (one) { one.open = false; });
    state('done', found.sentence);
  }

  function table(found) {
    at('told-matches').textContent = found.sentence;
    at('matches').querySelector('pre').textContent = found.sum;
    at('matches').querySelector('tbody').replaceChildren.apply(at('matches').querySelector('tbody'), found.matches.map(function (texts, part) {
      const row = document.createElement('tr');
      texts.forEach(function (text, column) {
        const cell = row.insertCell(), link = document.createElement('button');
        if (column) { cell.textContent = text; return; }
        link.type = 'button';
        link.textContent = text;
        link.addEventListener('click', function () { again({ part: part }); });
        cell.append(link);
      });
      return row;
    }));
  }

  function looked(sentence, rows, plies) {
    at('looked').hidden = false;
    at('looked').querySelector('p').textContent = sentence;
    at('looked').querySelector('ul').replaceChildren.apply(at('looked').querySelector('ul'), rows.map(function (row) {
      const item = document.createElement('li');
      item.textContent = row[0] + ': ' + row[1];
      return item;
    }));
    at('looked').querySelector('[data-plies]').hidden = plies > 3;
  }

  // The page in the frame says which decision it shows.
  addEventListener('message', function (event) {
    if (event.source !== at('page').contentWindow || typeof event.data.decision !== 'string' || here < 0) return;
    const result = results[here];
    result.shown = event.data.decision;
    at('deeper').hidden = result.found.count === undefined;
    if (!event.data.chosen) return;
    result.decision = result.shown;
    history.replaceState(history.state, '', address(result));
  });

  ['html', 'json', 'md'].forEach(function (ending) {
    at(ending === 'html' ? 'save' : 'save-' + ending).addEventListener('click', function (event) {
      const result = results[here];
      if (ending === 'html' && result.url) return;
      event.preventDefault();
      again({ kind: result.question.kind, form: ending, every: Boolean(result.found.matches), quiet: true, name: 'Saving' });
    });
  });

  // An address may say what somebody saw: #player=Nora&pr=7.23, or which decision to open.
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    const field = at('asked').elements[name];
    if (name === 'match') at('told').textContent = 'This link is of ' + value + '. Choose its file, and the page opens there.';
    else if (name === 'decision' && /^g\d+t\d+[cre]?$/.test(value)) wanted = value;
    else if (field && field.type !== 'file') { field.value = value; at('asked').scrollIntoView(); }
  }

  // One of an example needs no file.
  const linked = document.querySelector('[data-example="' + CSS.escape(new URLSearchParams(location.hash.slice(1)).get('example') || '') + '"]');
  if (linked) addEventListener('DOMContentLoaded', function () { linked.click(); });

  state('loading');
  step('Loading …');
  addEventListener('DOMContentLoaded', begin);
})();
