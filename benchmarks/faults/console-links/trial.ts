// Opens a link with a one-time code in Chromium, and waits for the question of the console or for a sign-in without one.
import { bundledAdapters } from '@sibyl/bundle'
import { reservePort, testApp } from '@sibyl/testing'
import { chromium } from 'playwright-core'
import { reportTrial } from '../frame/report-trial.ts'
import { announceOracle } from '../frame/start-oracle.ts'
import { chromiumPath } from './chromium-path.ts'

const removed = process.execArgv.flatMap(option => /\?name=(console-[\w-]+)$/.exec(option)?.[1] ?? [])
// The console is built by a process of its own, from sources that Node does not load.
process.env.SIBYL_CONSOLE_WITHOUT = removed.join()

const token = 'operator-token-of-the-trial-01'
const port = await reservePort()
const url = `http://localhost:${port}`
const env = { ORACLE_OPERATOR_TOKEN: token, ORACLE_ADAPTERS: 'none', PUBLIC_URL: url, CONSOLE: 'on', OAUTH: 'on' }
const { app } = await testApp({ plugins: [], adapters: bundledAdapters(), env })
await app.listen({ host: '127.0.0.1', port })
await app.request('/console')
if (removed.length > 0) process.stdout.write(`${JSON.stringify({ removed: 'packages/console' })}\n`)
announceOracle(url, app.identity.did)

const response = await app.request('/oauth/codes', {
  method: 'POST',
  body: JSON.stringify({ name: 'Mallory', scopes: ['*'] }),
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
})
const { code } = (await response.json()) as { readonly code: string }
const browser = await chromium.launch({ executablePath: chromiumPath() ?? '', args: ['--no-sandbox'] })
const page = await browser.newPage()
const isSignIn = (request: { method(): string; url(): string }) =>
  request.method() === 'POST' && request.url().endsWith('/code')
const asks = page.getByText('Continue only if it is from your operator').waitFor()
const signsIn = page.waitForRequest(isSignIn)
for (const one of [asks, signsIn]) one.catch(() => {})
await page.goto(`${url}/console/chat#code=${code}`)
const first = await Promise.race([asks.then(() => 'a question'), signsIn.then(() => 'a sign-in')])
await browser.close()
await app.close()
reportTrial({
  tried: { 'links with a code': 1 },
  violations: { 'sign-ins without a question': first === 'a sign-in' ? [first] : [] },
})
