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
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    form.requestSubmit();
  });
})();
