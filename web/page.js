// The page: what was dropped, chosen or typed becomes a question to Python, which runs in a worker; its answer is shown in a frame.
(() => {
  const MOST_MEMORY = 768 * 2 ** 20, root = document.documentElement;
  const ui = Object.fromEntries(Array.from(document.querySelectorAll('[id]'), (one) => [one.id, one]));
  const parts = JSON.parse(ui.parts.textContent), results = [], { files, open: form, bar, again: figures, options } = ui;
  const megabytes = (bytes) => decimals(bytes / 2 ** 20, 1), sage = (plies) => `Open Sage, ${plies}-ply`;
  let worker = null, ready = false, asked = null, busy = null, number = 0, loaded = null, here = -1, wanted = '';
  const words = new URLSearchParams(location.hash.slice(1));
  document.title = 'reconcile: ' + document.querySelector('header h1').textContent;
  document.querySelector('.skip').textContent = say('skip.report');

  const click = (id, act) => on(ui[id], 'click', act);
  function made(name, text, act, attributes) {
    const element = make(name, attributes, text);
    on(element, 'click', act);
    return element;
  }
  function state(now, sentence) {
    ui.result.hidden = now !== 'done';
    ui.sentence.textContent = sentence || '';
    ui.stop.hidden = now !== 'working';
    ui.work.classList.toggle('unseen', now === 'done');
    root.dataset.state = now;
  }
  const failed = (sentence) => state('failed', sentence);
  const cannot = (error) => failed(say('web.browser', { why: error.message }));
  function step(text, part, line = ui.step, progress = ui.loading) {
    line.textContent = text || '';
    if (part === undefined) progress.removeAttribute('value'); else progress.value = part;
  }
  // Work that goes on while a result is shown.
  function working(text, part) {
    ui.working.hidden = !text;
    step(text, part, ui.doing, ui.part);
  }

  // The parts: text in this page, or files beside it.
  async function content(part) {
    if (!part.at) return byId('part-' + part.name).textContent;
    const answer = await fetch(part.at);
    if (!answer.ok) throw new Error(part.at);
    return new Uint8Array(await answer.arrayBuffer());
  }
  // The worker has it too.
  function inflated(part) {
    const bytes = typeof part === 'string' ? Uint8Array.from(atob(part.trim()), (one) => one.charCodeAt(0)) : part;
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
  }
  async function load() {
    const all = parts.reduce((sum, part) => sum + part.bytes, 0), found = {};
    let come = 0;
    await Promise.all(parts.map(async (part) => {
      found[part.name] = await content(part);
      come += part.bytes;
      step(say('web.part', { size: megabytes(come) + '/' + megabytes(all) }), come / all);
    }));
    const scripts = await Promise.all(['pyodide.asm.js', 'pyodide.js', 'worker.js'].map((name) => {
      const script = inflated(found[name]).text();
      delete found[name];
      return script;
    }));
    return { parts: found, script: URL.createObjectURL(new Blob([[...scripts, inflated].join('\n')], { type: 'text/javascript' })) };
  }
  async function begin() {
    if (worker) worker.terminate();
    worker = busy = null;
    ready = false;
    try {
      loaded = loaded || await load();
      worker = new Worker(loaded.script);
    } catch (error) { cannot(error); return; }
    worker.onmessage = heard;
    worker.onerror = cannot;
    worker.postMessage({ parts: loaded.parts });
  }

  function heard({ data }) {
    if (data.total) {
      if (busy?.number === number) doing(say('web.done', data), data.done / data.total);
      return;
    }
    if (data.broken) { cannot({ message: data.broken }); return; }
    if (data.ready) {
      ready = true;
      if (root.dataset.state === 'loading') state('ready');
    } else {
      const question = busy, found = data.found;
      busy = null;
      if (found.broken) found.sentence = say('web.broke', { why: found.broken });
      if (data.number === number) show(found, question);
      if (found.broken || data.memory > MOST_MEMORY) { begin(); return; }
    }
    next();
  }
  const doing = (text, part) => (busy.quiet ? working(busy.name + ': ' + text, part) : step(text, part));
  function next() {
    if (!asked || !ready || busy) return;
    busy = asked;
    asked = null;
    doing(say('web.reading', { names: busy.names.length > 3 ? say('web.files-count', { n: busy.names.length }) : busy.names.join(', ') }));
    worker.postMessage(busy);
  }

  // Asking. A quiet question leaves on the screen what is there.
  async function ask(question) {
    question.number = ++number;
    question.language = root.lang;
    working();
    if (!question.quiet) state('working');
    if (question.chosen) {
      question.names = question.chosen.map((file) => file.name);
      try {
        question.given = await Promise.all(question.chosen.map(async (file) => ({ name: file.name, bytes: await file.arrayBuffer() })));
      } catch (error) {
        if (question.number === number) failed(say('web.unread', { why: error.message }));
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
    const { given, example, names, fields: typed, part, plies } = results[here].question;
    ask({ kind: 'open', given, example, names, fields: typed, part, plies, ...changes });
  }
  const fields = (event) => Object.fromEntries(new FormData(event.target));

  // Choosing and dropping.
  function chosen(list) {
    files.value = '';  // or the same files, saved anew, could not be chosen again
    if (!list.length) return;
    const bytes = list.reduce((sum, file) => sum + file.size, 0), { most, files: number_ } = form.dataset;
    const told = list.length > number_ ? say('web.many', { number: number_ }) : bytes > most ? say('web.large', { size: most >> 20 }) : '';
    ui.told.textContent = told;
    if (told) state(ready ? 'failed' : 'loading', told); else ask({ kind: 'open', chosen: list });
  }
  on(files, 'change', () => chosen([...files.files]));
  ['dragenter', 'dragover'].forEach((name) => on(window, name, (event) => { event.preventDefault(); form.classList.add('over'); }));
  on(window, 'dragleave', (event) => { if (!event.relatedTarget) form.classList.remove('over'); });
  on(window, 'drop', async (event) => {
    event.preventDefault();
    form.classList.remove('over');
    const entries = Array.from(event.dataTransfer.items, (item) => item.webkitGetAsEntry?.());
    if (!entries.some((one) => one?.isDirectory)) { chosen([...event.dataTransfer.files]); return; }
    chosen((await Promise.all(entries.filter(Boolean).map(within))).flat(Infinity));
  });
  // The files of an entry, of a folder all below it that are not hidden; a folder gives its entries a hundred at a time.
  async function within(entry) {
    if (entry.name.startsWith('.')) return [];
    const none = (done) => () => done([]);
    if (entry.isFile) return new Promise((done) => entry.file(done, none(done)));
    const reader = entry.createReader(), found = [], some = () => new Promise((done) => reader.readEntries(done, none(done)));
    for (let entries = await some(); entries.length; entries = await some()) found.push(...entries);
    return Promise.all(found.map(within));
  }
  document.querySelectorAll('[data-example]').forEach((link) => {
    on(link, 'click', () => ask({ kind: 'open', example: link.dataset.example, names: [link.textContent] }));
  });
  on(figures, 'submit', (event) => again({ kind: 'investigate', fields: fields(event), plies: undefined }));
  on(options, 'submit', (event) => again({ fields: fields(event) }));
  on(ui.practise, 'submit', (event) => again({ kind: 'practise', fields: fields(event) }));
  const analyse = (plies, more) => again({ plies, quiet: true, name: sage(plies), ...more });
  const deeper = (plies) => analyse(plies, { kind: 'deeper', decision: results[here].shown, shown: results[here].question.plies });
  click('second', () => analyse(2));
  click('third', () => analyse(3));
  click('deeper', () => deeper(3));
  click('looked', ({ target }) => {
    if (target.dataset.plies) deeper(Number(target.dataset.plies));
    if ('close' in target.dataset) ui.looked.hidden = true;
  });
  function stopped() {
    number++;
    asked = null;
    working();
    if (root.dataset.state !== 'done') state('loading');
    begin();
  }
  click('stop', stopped);
  click('halt', stopped);
  click('other', () => {
    history.pushState(null, '', '#');
    start();
    files.focus();
  });

  // Showing.
  function start() {
    const list = ui.session.querySelector('ul');
    ui.session.hidden = !results.length;
    list.replaceChildren(...results.map((each, index) => make('li', {}, made('a', each.found.title + ': ' + each.found.sentence, () => go(index), { href: '#' }))).reverse());
    state('ready');
  }
  function go(index) {
    history.pushState({ at: index }, '', address(results[index]));
    present(index);
  }
  addEventListener('popstate', ({ state: to }) => { if (to && results[to.at]) present(to.at); else if (root.dataset.state === 'done') start(); });
  function address({ found, question, decision }) {
    const words = { match: found.title };
    if (question.example) words.example = question.example;
    if (decision) words.decision = decision;
    return '#' + new URLSearchParams(words);
  }
  function download(bytes, name) {
    const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
    save(url, name);
    setTimeout(() => URL.revokeObjectURL(url), 60000);
  }
  const stem = (found) => found.files[0].replace(/^.*\//, '').replace(/\.[^.]*$/, '') || 'reconcile';
  function show(found, question) {
    working();
    if (found.failed) { if (question.quiet) looked(found.sentence, [], 4); else failed(found.sentence); return; }
    if (question.form) { download(found.bytes, stem(found) + '.' + (question.every ? 'zip' : question.form)); return; }
    if (question.kind === 'deeper') { looked(found.sentence, found.rows, question.plies); return; }
    const result = { question, found, decision: wanted, url: found.bytes && URL.createObjectURL(new Blob([found.bytes], { type: 'text/html' })) };
    const index = question.replaces;
    delete found.bytes;
    wanted = '';
    if (index !== undefined) {
      result.decision = results[index].decision;
      URL.revokeObjectURL(results[index].url);
      results[index] = result;
      present(index);
    } else go(results.push(result) - 1);
    // A transcript gets a first look, which a deeper one replaces.
    const plies = found.unanalysed ? 1 : found.first ? 2 : 0;
    if (plies) analyse(plies, { replaces: here });
  }
  function present(index) {
    here = index;
    const { found, question, url, decision } = results[index], plies = question.plies || 0, is_match = found.count !== undefined;
    ui.matches.hidden = !found.matches;
    const fresh = ui.page.cloneNode(), typed = question.fields || {};
    fresh.hidden = !url;
    fresh.removeAttribute('src');
    if (url) fresh.src = url + (decision ? '#' + decision : '');
    ui.page.replaceWith(fresh);  // a new frame has no history of its own
    ui.page = fresh;
    fresh.addEventListener('load', () => { if (root.dataset.state === 'done' && !bar.querySelector(':focus')) fresh.focus(); });  // so that its keys work
    if (found.matches) table(found);
    Object.assign(ui.save, { href: url || '#', download: stem(found) + '.html' });
    ui['save-md'].parentNode.hidden = found.count === 1 || Boolean(found.alone);
    ui['save-json'].parentNode.hidden = Boolean(found.alone);
    document.querySelectorAll('.of-match').forEach((one) => { one.hidden = !is_match; });
    ui.practise.hidden = !is_match && !found.matches;
    ui.level.textContent = !found.level ? '' : found.first ? say('web.first-look', { by: sage(plies) }) : sage(plies);
    ui.second.textContent = found.unanalysed ? say('web.analyse', { by: sage(2) }) : say('web.second', { by: sage(2) });
    ui.second.hidden = plies > 1;
    ui.third.hidden = plies !== 2;
    ui.looked.hidden = ui.deeper.hidden = true;
    root.dataset.plies = plies;
    options.querySelectorAll('[data-of]').forEach((label) => { label.hidden = !label.dataset.of.includes(String(Math.min(found.count, 3))); });
    [options.elements.player, ui.again.elements.player, ui.practise.querySelector('select')].forEach((players, i) => {
      players.replaceChildren(...(i ? [] : [new Option(say('practice.both'), '')]), ...(found.players || []).map((name) => new Option(name)));
    });
    for (const field of options.elements) if (field.name) field.value = typed[field.name] || '';
    for (const player of figures.elements.player) player.selected = player.text.includes(words.get('player') || '\n');
    bar.querySelectorAll('details').forEach((one) => { one.open = one.contains(figures) && words.has('player') && question.kind === 'open'; });
    state('done', found.sentence);
  }
  function table(found) {
    ui['told-matches'].textContent = found.sentence;
    ui.matches.querySelector('pre').textContent = found.sum;
    ui.matches.querySelector('tbody').replaceChildren(...found.matches.map(([title, ...texts], part) => {
      const opens = made('button', title, () => again({ part }));
      return make('tr', {}, ...[opens, ...texts].map((each) => make('td', {}, each)));
    }));
  }
  function looked(sentence, rows, plies) {
    ui.looked.hidden = false;
    ui.looked.querySelector('p').textContent = sentence;
    ui.looked.querySelector('ul').replaceChildren(...rows.map((row) => make('li', {}, row.join(': '))));
    ui.looked.querySelector('[data-plies]').hidden = plies > 3;
  }

  // The page in the frame says which decision it shows.
  addEventListener('message', ({ source, data }) => {
    if (source !== ui.page.contentWindow || typeof data.decision !== 'string' || here < 0) return;
    const result = results[here];
    result.shown = data.decision;
    ui.deeper.hidden = result.found.count === undefined;
    if (!data.chosen) return;
    result.decision = result.shown;
    history.replaceState(history.state, '', address(result));
  });
  ['html', 'json', 'md'].forEach((ending) => {
    click(ending === 'html' ? 'save' : 'save-' + ending, (event) => {
      const { question, url, found } = results[here];
      if (ending === 'html' && url) return;
      event.preventDefault();
      again({ kind: question.kind, form: ending, every: Boolean(found.matches), quiet: true, name: ending });
    });
  });

  // An address may say what somebody saw: #player=Nora&pr=7.23, or which decision to open. One of an example needs no file.
  for (const [name, value] of words) {
    const field = figures.elements[name];
    if (name === 'match') ui.told.textContent = say('web.link', { match: value });
    else if (name === 'decision' && /^g\d+t\d+[cre]?$/.test(value)) wanted = value;
    else if (field) field.value = value;
  }
  state('loading');
  step(say('web.part', { size: megabytes(0) }));
  addEventListener('DOMContentLoaded', () => {
    document.querySelector('[data-example="' + CSS.escape(words.get('example') || '') + '"]')?.click();
    begin();
  });
})();
