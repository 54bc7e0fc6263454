import { test } from 'vitest'
import { useConsoleTabs } from '../../testing/console.test.support.ts'
import { startTwins } from './twins.test.support.ts'
const open = useConsoleTabs()
test('debug', { timeout: 60_000 }, async () => {
  const { oracle } = await startTwins()
  const tab = await open(oracle, { path: '/twins/entities' })
  tab.page.on('response', r => console.log(r.status(), r.url()))
  await new Promise(r => setTimeout(r, 6000))
  console.log(tab.page.url(), await tab.page.evaluate(() => document.body.innerText), tab.faults)
  await tab.page.screenshot({ path: '/tmp/debug.png' })
})
