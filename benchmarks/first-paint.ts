// How long a cheap phone waits for the console: 400 kbit/s, 400 ms, a processor four times slower, nothing in the cache. Prints the
// median time until a view is shown, its bytes and its requests.
// Run: node --conditions=sibyl-source benchmarks/first-paint.ts
import { bundledAdapters, bundledPlugins } from '@sibyl/bundle'
import { reservePort, testApp } from '@sibyl/testing'
import { type BrowserContextOptions, chromium } from 'playwright-core'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const operatorToken = 'operator-token-of-the-benchmark'
const port = await reservePort()
const url = `http://localhost:${port}`
const { app } = await testApp({
  plugins: bundledPlugins(),
  adapters: bundledAdapters(),
  env: { PUBLIC_URL: url, ORACLE_NAME: 'Field Oracle', ORACLE_OPERATOR_TOKEN: operatorToken },
})
await app.listen({ host: '127.0.0.1', port })
await fetch(`${url}/console`)
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})

/** Signs in once, and returns what the browser stored. */
const signIn = async (): Promise<BrowserContextOptions['storageState']> => {
  const answer = await fetch(`${url}/oauth/codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Mutale', scopes: ['*', 'operator/read', 'operator/write'] }),
  })
  const { code } = (await answer.json()) as { readonly code: string }
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${url}/console#code=${code}`)
  await page.locator('form button[type=submit]').click()
  await page.getByText('First steps').waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

interface Visit {
  readonly ms: number
  readonly bytes: number
  readonly requests: number
}

const visit = async (
  path: string,
  shown: string,
  storageState?: BrowserContextOptions['storageState'],
): Promise<Visit> => {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    locale: 'en',
    ...(storageState === undefined ? {} : { storageState }),
  })
  const page = await context.newPage()
  const tools = await context.newCDPSession(page)
  await tools.send('Network.enable')
  await tools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  })
  await tools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  let [bytes, requests] = [0, 0]
  tools.on('Network.requestWillBeSent', () => {
    requests += 1
  })
  tools.on('Network.dataReceived', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  const startedAt = performance.now()
  await page.goto(url + path, { waitUntil: 'commit' })
  await page.locator(shown).first().waitFor({ timeout: 120_000 })
  const ms = performance.now() - startedAt
  await context.close()
  return { ms, bytes, requests }
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

const storageState = await signIn()
const views = [
  { name: 'before sign-in', path: '/console', shown: 'main button', state: undefined },
  { name: 'home', path: '/console', shown: 'text=First steps', state: storageState },
  { name: 'chat', path: '/console/chat', shown: 'textarea', state: storageState },
] as const
for (const { name, path, shown, state } of views) {
  const visits: Visit[] = []
  for (let round = 0; round < rounds; round += 1) visits.push(await visit(path, shown, state))
  const [ms, bytes, requests] = (['ms', 'bytes', 'requests'] as const).map(key => median(visits.map(one => one[key])))
  console.log(
    `${name.padEnd(16)}${(ms! / 1000).toFixed(1).padStart(6)} s ${(bytes! / 1000).toFixed(0).padStart(6)} kB ${String(requests).padStart(4)} requests`,
  )
}
await browser.close()
await app.close()
