// Python in a worker: what Pyodide would fetch comes with the first message, and every question is answered in a folder of its own.
'use strict';
const parts = new Map(), INTO = { extractDir: '/lib/python3.12/site-packages' };
let python, networks, answers = 0;

self.fetch = async function (address) {
  const name = String(address.url || address).split('/').pop();
  if (!parts.has(name)) throw new TypeError(name + ' is not in this page');
  return new Response(await parts.get(name), { headers: { 'content-type': name.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream' } });
};

// The engine's networks are unpacked when it is first asked.
async function engine() {
  if (!networks) return;
  python.unpackArchive(await inflated(networks).arrayBuffer(), 'zip', INTO);
  networks = null;
}

async function begin(given) {
  networks = given['networks.zip'];
  delete given['networks.zip'];
  for (const name of Object.keys(given)) parts.set(name, inflated(given[name]).arrayBuffer());
  python = await loadPyodide({ indexURL: 'https://in.this.page/', stdout() {}, stderr() {} });
  for (const file of ['numpy.whl', 'program.zip']) python.unpackArchive(await parts.get(file), 'zip', INTO);
  parts.clear();
  python.runPython('import numpy, os; os.umask(0o022); os.environ["RECONCILE_CACHE"] = "/cache"; from web import inside');  // without a mask, nobody may read what is written
  postMessage({ ready: true });
  const warming = python.pyimport('web.inside').warm();
  const more = () => { if (!answers && !warming.next().done) setTimeout(more); };
  more();
}

function answered(asked) {
  const folder = '/match/' + ++answers, files = python.FS;
  files.mkdirTree(folder);
  files.chdir(folder);
  const inside = python.pyimport('web.inside');
  try {
    if (asked.example) asked.files = inside.example(asked.example).toJs();
    const taken = new Set();
    (asked.given || []).forEach((one, at) => {
      let name = one.name.replace(/[\/\0]/g, '_').slice(0, 200) || 'unnamed';
      if (taken.has(name)) { files.mkdirTree(String(at)); name = at + '/' + name; }
      taken.add(name);
      files.writeFile(name, new Uint8Array(one.bytes));
    });
    if (asked.given) asked.files = Array.from(taken);
    delete asked.given;
    const found = JSON.parse(inside.answer(JSON.stringify(asked)));
    if (found.path) found.bytes = files.readFile(found.path);
    return found;
  } finally {
    files.chdir('/');
    python.runPython('import shutil, gc; shutil.rmtree("' + folder + '"); gc.collect()');
  }
}

self.onmessage = async function (event) {
  const asked = event.data;
  if (asked.parts) {
    begin(asked.parts).catch((error) => postMessage({ broken: error.message }));
    return;
  }
  let found;
  try {
    if (asked.plies) await engine();
    found = answered(asked);
  } catch (error) {  // Python itself broke: without memory, or too deep
    found = { failed: true, files: asked.files || [], broken: String(error.message).trim().split('\n').pop() || 'Python' };
  }
  postMessage({ number: asked.number, found: found, memory: python._module.HEAP8.length });
};
