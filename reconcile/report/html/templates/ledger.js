// The ledger: sort, choose rows, add up.
(() => {
  const table = document.querySelector('table.ledger');
  if (!table) return;
  const form = document.querySelector('#ledger form'), want = form.elements, body = table.tBodies[0], heads = Array.from(table.tHead.rows[0].cells);
  const first = 9;  // amounts come after nine other columns
  const rows = Array.from(body.rows, (row, index) => ({
    row, index, cause: row.cells[6].dataset.c,
    keys: Array.from(row.cells, (cell, column) => {
      if (!heads[column].classList.contains('num')) return cell.textContent;
      const value = parseFloat(column < first ? cell.textContent : cell.dataset.v);
      return isNaN(value) ? null : value;
    })
  }));
  const size = (value, column) => (value !== null && column >= first ? Math.abs(value) : value);
  function sort(column, ascending) {
    rows.sort((one, other) => {
      const a = size(one.keys[column], column), b = size(other.keys[column], column);
      if (a === b) return one.index - other.index;
      if (a === null || b === null) return a === null ? 1 : -1;
      return (ascending ? 1 : -1) * (typeof a === 'number' ? a - b : a.localeCompare(b));
    });
    body.append(...rows.map((one) => one.row));
    heads.forEach((head, index) => {
      head.removeAttribute('aria-sort');
      if (index === column) head.setAttribute('aria-sort', ascending ? 'ascending' : 'descending');
    });
  }
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const now = head.getAttribute('aria-sort');
      sort(column, now ? now === 'descending' : column < first);
    });
  });
  heads[first].setAttribute('aria-sort', 'descending');

  function choose() {
    const column = first + Number(want.column.value), least = parseFloat(want.size.value) || 0;
    const fits = (name, value) => !want[name].value || String(value) === want[name].value;
    let shown = 0, sum = 0;
    rows.forEach((one) => {
      const amount = one.keys[column];
      const chosen = fits('player', one.keys[0]) && fits('cause', one.cause) && fits('kind', one.keys[3]) && fits('game', one.keys[1]) &&
        (!least || (amount !== null && Math.abs(amount) >= least));
      one.row.hidden = !chosen;
      if (chosen) { shown += 1; sum += amount || 0; }
    });
    const total = (Math.abs(sum) < 5e-7 ? 0 : sum).toFixed(3).replace('-', '\u2212');
    const one = want.player.value || want.player.options.length === 2;  // shares of two players do not add up
    const together = ', together ' + (sum >= 5e-4 ? '+' : '') + total + ' ' + want.column.selectedOptions[0].textContent;
    form.querySelector('output').textContent = shown + ' of ' + rows.length + ' rows' + (one ? together : '');
  }
  form.hidden = false;
  form.addEventListener('input', choose);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(choose));
  choose();
})();
