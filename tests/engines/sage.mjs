// sage.mjs MODULE NETWORK...: questions as JSON on standard input, the equities of each as JSON on standard output.
import fs from 'node:fs';
const [code, ...networks] = process.argv.slice(2);
const module = new WebAssembly.Module(fs.readFileSync(code));
const absent = Object.fromEntries(WebAssembly.Module.imports(module).map((wanted) => [wanted.name, () => 52]));
const engine = new WebAssembly.Instance(module, { wasi_snapshot_preview1: absent }).exports;
engine._initialize();
for (const path of networks) {
  const content = fs.readFileSync(path), at = engine.room(content.length);
  new Uint8Array(engine.memory.buffer, at, content.length).set(content);
}
if (!engine.load()) throw new Error('the networks do not load');
const answers = JSON.parse(fs.readFileSync(0)).map(([kind, words]) => {
  new Int32Array(engine.memory.buffer, engine.question(), words.length).set(words);
  const count = engine[kind](), each = kind === 'plays' ? 33 : 1;
  const values = Array.from(new Float64Array(engine.memory.buffer, engine.answer(), count * each));
  return kind === 'plays' ? values.filter((_, i) => i % each === 31) : values;
});
console.log(JSON.stringify(answers));
