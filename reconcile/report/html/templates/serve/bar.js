history.replaceState(null, '', document.querySelector('nav.served').dataset.at + location.hash);
