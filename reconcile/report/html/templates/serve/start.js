(function () {
  const form = document.getElementById('open'), input = document.getElementById('files'), told = document.getElementById('told');
  function fits(files) {
    const bytes = Array.from(files).reduce(function (sum, file) { return sum + file.size; }, 0);
    told.textContent = files.length > Number(form.dataset.files) ? 'Choose at most ' + form.dataset.files + ' files.'
      : bytes > Number(form.dataset.most) ? 'These files have more than ' + (form.dataset.most >> 20) + ' MB, which no match has. Is it the right file?' : '';
    return !told.textContent;
  }
  form.addEventListener('submit', function (event) { if (!fits(input.files)) event.preventDefault(); });
  ['dragenter', 'dragover'].forEach(function (name) {
    addEventListener(name, function (event) { event.preventDefault(); form.classList.add('over'); });
  });
  addEventListener('dragleave', function (event) { if (!event.relatedTarget) form.classList.remove('over'); });
  addEventListener('drop', function (event) {
    event.preventDefault();
    form.classList.remove('over');
    const entries = Array.from(event.dataTransfer.items).map(function (item) { return item.webkitGetAsEntry && item.webkitGetAsEntry(); });
    if (!entries.some(function (one) { return one && one.isDirectory; })) { show(event.dataTransfer.files); return; }
    Promise.all(entries.filter(Boolean).map(within)).then(function (found) {
      const all = new DataTransfer();
      found.flat(Infinity).forEach(function (file) { all.items.add(file); });
      show(all.files);
    });
  });
  function show(files) {
    if (!files.length) return;
    input.files = files;
    form.requestSubmit();
  }
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
})();
