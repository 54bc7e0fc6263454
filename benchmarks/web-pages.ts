// How long web pages take to be read as Markdown: `scrape_url` beside fetching alone, and beside Readability and Turndown over
// linkedom on the event loop. The site is a process of its own on loopback.
// Run: node --conditions=sibyl-source benchmarks/web-pages.ts
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { Readability } from '@mozilla/readability'
import type { Host, Tool, ToolCall } from '@sibyl/plugin'
import { makeLine, makeShareOf } from '@sibyl/plugin/host'
import { firecrawl } from '@sibyl/plugin-firecrawl'
import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'

const rounds = Number(process.env.BENCH_ROUNDS ?? 30)
const paths = ['/article', '/docs/guide/configure', '/shop', '/forum', '/large']

const require = createRequire(import.meta.url)
const file = require.resolve('@sibyl/plugin-firecrawl/testing/process')
const site = spawn(process.execPath, ['--conditions=sibyl-source', file], { stdio: ['ignore', 'pipe', 'inherit'] })
const { value: url } = await createInterface(site.stdout)[Symbol.asyncIterator]().next()

const shareOf = makeShareOf({ access: 'delegated', percent: 100, isTrusted: () => false })
const host = {
  env: { FIRECRAWL_MCP_URL: 'embedded:', FIRECRAWL_ALLOW_PRIVATE: '127.0.0.1', FIRECRAWL_PAGES_PER_MINUTE: 600 },
  clock: { now: Date.now },
  identity: { publicDid: 'did:web:localhost' },
  limits: {
    take: async () => ({ allowed: true, endsInMs: 0 }),
    line: (limits: Parameters<typeof makeLine>[0]) => makeLine(limits, shareOf),
  },
} as unknown as Host
const { tools, dispose } = await firecrawl().setup(host)
const scrapeUrl = (tools as Readonly<Record<string, Tool>>).scrape_url!
const call = { turn: { actor: { did: 'did:key:z1' } }, signal: new AbortController().signal } as unknown as ToolCall

const contestants: Record<string, (address: string) => Promise<unknown>> = {
  'fetched alone': async address => (await fetch(address)).text(),
  'Readability and Turndown over linkedom': async address => {
    const { document } = parseHTML(await (await fetch(address)).text())
    const article = new Readability(document).parse()
    return new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' }).turndown(article?.content ?? '')
  },
  scrape_url: address => scrapeUrl.execute(scrapeUrl.input.parse({ url: address }), call),
}

/** The longest time that the event loop stood still meanwhile. */
const stalls = new Map<string, number>()
const times = new Map<string, number[]>()
let count = 0
const begun = performance.now()
await contestants.scrape_url!(`${url}/article?first`)
const first = performance.now() - begun

for (let round = -3; round < rounds; round += 1) {
  for (const path of paths) {
    for (const [name, run] of Object.entries(contestants)) {
      let longest = 0
      let before = performance.now()
      const beat = setInterval(() => {
        longest = Math.max(longest, performance.now() - before - 1)
        before = performance.now()
      }, 1)
      count += 1
      const start = performance.now()
      // An address of its own, so that nothing is kept from before.
      await run(`${url}${path}?${count}`)
      const taken = performance.now() - start
      clearInterval(beat)
      longest = Math.max(longest, performance.now() - before - 1)
      if (round < 0) continue
      const key = `${name} ${path}`
      times.set(key, [...(times.get(key) ?? []), taken])
      stalls.set(key, Math.max(stalls.get(key) ?? 0, longest))
    }
  }
}
site.kill()
await dispose?.()

console.log(`node ${process.version}, ${rounds} interleaved rounds; ms\n`)
console.log('| page | | median | p95 | the event loop stood still for at most |')
console.log('|---|---|---|---|---|')
for (const path of paths) {
  for (const name of Object.keys(contestants)) {
    const measured = (times.get(`${name} ${path}`) ?? []).toSorted((one, other) => one - other)
    const at = (share: number) =>
      measured[Math.min(measured.length - 1, Math.floor(measured.length * share))]!.toFixed(1)
    console.log(`| ${path} | ${name} | ${at(0.5)} | ${at(0.95)} | ${stalls.get(`${name} ${path}`)!.toFixed(0)} |`)
  }
}
console.log(`\nThe first page, with the start of its thread: ${first.toFixed(0)} ms.`)
