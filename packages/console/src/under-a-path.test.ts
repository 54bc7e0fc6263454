/** @module-tag long */
import { pathProxies } from '@sibyl/oauth/testing'
import { entities } from '@sibyl/plugin-entities'
import { reservePort } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { chromiumPath, useConsole } from './testing/console.test.support.ts'

describe.skipIf(chromiumPath === undefined)('the console under a path, in Chromium', () => {
  const { startOracle, open } = useConsole()

  describe.each(pathProxies)('behind $name', ({ isInstalled, start }) => {
    const serve = async () => {
      const [publicPort, port] = [await reservePort(), await reservePort()]
      const url = `http://localhost:${publicPort}/oracle`
      const oracle = await startOracle({ port, env: { PUBLIC_URL: url }, plugins: [entities()] })
      await start(publicPort, port)
      return { ...oracle, url }
    }

    test.skipIf(!isInstalled)('a user signs in with the key of the browser, chats and signs out', async () => {
      const oracle = await serve()
      const { page, faults } = await open(oracle, { path: '/chat', scopes: 'signed out' })
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('heading', { name: 'Allow the console to act for you at Field Oracle?' }).waitFor()
      await page.getByRole('button', { name: "Allow with this browser's key" }).click()
      await page.getByRole('navigation').waitFor({ state: 'attached' })
      expect(page.url()).toBe(`${oracle.url}/console/chat`)
      await page.getByRole('link', { name: 'Start' }).click()
      await page.getByText(`npx sibyl mcp --url ${oracle.url}`, { exact: true }).waitFor()
      await page.getByLabel('Ask something').fill('What can you do?')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.waitForURL(`${oracle.url}/console/chat/*`)
      await page.reload()
      await page.getByRole('log').getByText('What can you do?').waitFor()
      expect(faults).toEqual([])
      await page.getByRole('button', { name: 'Account' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in to Field Oracle' }).waitFor()
    })

    test.skipIf(!isInstalled)(
      'a one-time code signs in, and the did:web of a twin is where its path leads',
      async () => {
        const oracle = await serve()
        const { page, faults } = await open(oracle)
        await page.getByRole('link', { name: 'Operations' }).waitFor()
        const created = await oracle.actor.request('/v1/entities', {
          json: { type: 'Stove', controller: oracle.actor.did },
        })
        const { did } = await created.json()
        const location = new URL(created.headers.get('location') ?? '', oracle.url)
        expect(location.href).toMatch(`${oracle.url}/v1/entities/`)
        expect((await oracle.actor.request(location.pathname.slice('/oracle'.length))).status).toBe(200)
        const [, method, host, ...path] = did.split(':')
        expect([method, host, path[0]]).toEqual(['web', new URL(oracle.url).host.replace(':', '%3A'), 'oracle'])
        const document = await fetch(`http://${decodeURIComponent(host)}/${path.join('/')}/did.json`)
        expect((await document.json()).id).toBe(did)
        expect(faults).toEqual([])
      },
    )
  })
})
