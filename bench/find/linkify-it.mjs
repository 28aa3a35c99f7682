// Times linkify-it over the first 4 MiB of files: the best of some passes, in bytes a
// nanosecond. node linkify-it.mjs schemed|all FILE...
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

// The package lies in the folder that NODE_FOLDER names, outside this one.
const LinkifyIt = createRequire(process.env.NODE_FOLDER + '/')('linkify-it')

const [mode, ...files] = process.argv.slice(2)
const linkify = new LinkifyIt()
if (mode === 'schemed') linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
for (const name of files) {
  const text = readFileSync(name).subarray(0, 4 << 20).toString('utf8')
  const bytes = Buffer.byteLength(text)
  let best = Infinity
  let links = 0
  const begin = performance.now()
  for (let pass = 0; pass < 3 && (pass === 0 || performance.now() - begin < 5000); pass++) {
    const t = performance.now()
    links = (linkify.match(text) ?? []).length
    best = Math.min(best, performance.now() - t)
  }
  console.log(['linkify-it', mode, name, links, (bytes / best / 1e6).toFixed(4)].join('\t'))
}
