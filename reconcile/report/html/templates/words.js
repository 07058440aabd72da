// Sentences of the catalogue, in the language of the page.
const { say, decimals } = (() => {
  const messages = JSON.parse(document.getElementById('words').textContent), tongue = document.documentElement.lang;
  const plural = new Intl.PluralRules(tongue), whole = new Intl.NumberFormat(tongue), places = {};

  // The slot `n` chooses the form of a message that has a plural.
  function say(key, slots) {
    const forms = messages[key], form = forms.length > 1 && plural.select(slots.n) !== 'one' ? 1 : 0;
    return forms[form].replace(/\{(\w+)\}/g, (_, name) => (typeof slots[name] === 'number' ? whole.format(slots[name]) : slots[name]));
  }
  function decimals(value, digits) {
    places[digits] = places[digits] || new Intl.NumberFormat(tongue, { minimumFractionDigits: digits, maximumFractionDigits: digits });
    return places[digits].format(value);
  }
  return { say, decimals };
})();
