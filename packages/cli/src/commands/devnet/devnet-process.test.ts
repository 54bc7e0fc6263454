import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { HttpRegistry } from '@sibyl/plugin-entities/registry'
import { reservePort } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { startDevnet, temporaryHome } from './devnet-process.test.helper.ts'

test('the first start prints all facts; after kill -9 it resumes with its state, without the API key', async () => {
  const home = temporaryHome()
  const first = startDevnet(home, ['--port', String(await reservePort())])
  const { stdout, stderr, url, did, signer, apiKey = '' } = await first.started()
  const port = new URL(url).port
  const path = join(home, 'devnet', 'devnet.json')
  expect(stderr).toBe('')
  expect(stdout).toBe(
    [
      `Sibyl devnet   http://localhost:${port}   Ctrl-C stops it`,
      '',
      `  DID         did:web:localhost%3A${port}`,
      `  signs as    ${signer}`,
      `  data        ${home}/devnet`,
      `  explorer    http://localhost:${port}/explorer`,
      `  API         http://localhost:${port}/docs`,
      `  API key     ${apiKey}`,
      `              shown only this time, and stored in ${path}`,
      '',
      'To use it as a registry:',
      '',
      `  export REGISTRY_URL=http://localhost:${port}`,
      `  export REGISTRY_API_KEY=${apiKey}`,
      '  curl -H "Authorization: Bearer $REGISTRY_API_KEY" "$REGISTRY_URL/v1/entities"',
      '',
      '',
    ].join('\n'),
  )
  expect(apiKey).toMatch(/^devnet_[\w-]{32}$/)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(home, 'devnet')).mode & 0o777).toBe(0o700)
  expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: 'ok', database: 'connected' })
  const registry = new HttpRegistry({ url, apiKey })
  const stoves = await Promise.all(
    Array.from({ length: 20 }, (_, index) => registry.create({ type: 'CookStove', properties: { serial: index } })),
  )
  await first.kill('SIGKILL')

  const second = startDevnet(home)
  const again = await second.started()
  expect([again.url, again.did, again.signer, again.apiKey]).toEqual([url, did, signer, undefined])
  expect(again.stdout).toContain(`  API key     in ${path}\n              for a new one: sibyl devnet --new-key\n`)
  expect(again.stdout).toContain(`  export REGISTRY_API_KEY=$(node -p 'require("${path}").apiKey')\n`)
  expect(JSON.parse(readFileSync(path, 'utf8')).apiKey).toBe(apiKey)
  expect(await Promise.all(stoves.map(({ entity }) => registry.get(entity.did)))).toEqual(stoves)
  const { entity, etag } = stoves[0]!
  expect((await registry.update(entity.did, { properties: { serial: 21 } }, etag)).entity.version).toBe(2)
  const page = await fetch(`${url}/explorer`)
  const html = await page.text()
  expect([page.status, html]).toEqual([200, expect.stringContaining('<title>Devnet: explorer</title>')])
  expect((await fetch(`${url}/${/explorer\/[\w-]+\.js/.exec(html)?.[0]}`)).status).toBe(200)
  expect(await second.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' })
})
