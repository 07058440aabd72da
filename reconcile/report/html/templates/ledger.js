(function () {
  // The ledger: sort by any column, choose rows, add up what is chosen.
  var table = document.querySelector('table.ledger');
  if (!table) return;
  var form = document.querySelector('#ledger form');
  var body = table.tBodies[0];
  var heads = Array.from(table.tHead.rows[0].cells);
  var first = 9;  // amounts come after player, game, turn, kind, decision, step, cause and two errors
  var numeric = heads.map((head) => head.classList.contains('num'));
  var rows = Array.from(body.rows).map(function (row, index) {
    var cells = Array.from(row.cells);
    return {
      row: row,
      index: index,
      cause: cells[6].dataset.c,
      keys: cells.map(function (cell, column) {
        if (!numeric[column]) return cell.textContent;
        var value = parseFloat(column < first ? cell.textContent : cell.dataset.v);
        return isNaN(value) ? null : value;
      })
    };
  });

  function size(value, column) { return value !== null && column >= first ? Math.abs(value) : value; }
  function sort(column, ascending) {
    var sign = ascending ? 1 : -1;
    rows.sort(function (one, other) {
      var a = size(one.keys[column], column), b = size(other.keys[column], column);
      if (a === b) return one.index - other.index;
      if (a === null) return 1;
      if (b === null) return -1;
      return sign * (typeof a === 'number' ? a - b : a.localeCompare(b, undefined, { numeric: true }));
    });
    body.append.apply(body, rows.map((one) => one.row));
    heads.forEach(function (head, index) {
      if (index === column) head.setAttribute('aria-sort', ascending ? 'ascending' : 'descending');
      else head.removeAttribute('aria-sort');
    });
  }
  heads.forEach(function (head, column) {
    var button = document.createElement('button');
    button.type = 'button';
    button.append.apply(button, Array.from(head.childNodes));
    head.append(button);
    button.addEventListener('click', function () {
      var now = head.getAttribute('aria-sort');
      sort(column, now ? now === 'descending' : column < first);
    });
  });
  heads[first].setAttribute('aria-sort', 'descending');

  function choose() {
    var want = form.elements;
    var column = first + Number(want.column.value);
    var least = parseFloat(want.size.value) || 0;
    var shown = 0, sum = 0;
    rows.forEach(function (one) {
      var amount = one.keys[column];
      var fits = (!want.player.value || one.keys[0] === want.player.value) &&
        (!want.cause.value || one.cause === want.cause.value) &&
        (!want.kind.value || one.keys[3] === want.kind.value) &&
        (!want.game.value || String(one.keys[1]) === want.game.value) &&
        (!least || (amount !== null && Math.abs(amount) >= least));
      one.row.hidden = !fits;
      if (fits) { shown += 1; sum += amount || 0; }
    });
    var total = (Math.abs(sum) < 5e-7 ? 0 : sum).toFixed(3).replace('-', '\u2212');
    var one = want.player.value || want.player.options.length === 2;  // shares of two players' figures do not add up to anything
    var together = ', together ' + (sum >= 5e-4 ? '+' : '') + total + ' ' + want.column.selectedOptions[0].textContent;
    form.querySelector('output').textContent = shown + ' of ' + rows.length + ' rows' + (one ? together : '');
  }
  form.hidden = false;
  form.addEventListener('input', choose);
  form.addEventListener('submit', function (event) { event.preventDefault(); });
  form.addEventListener('reset', function () { setTimeout(choose); });
  choose();
}());
