import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundledPlugins } from '@sibyl/bundle'
import { checkPlugin, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { config } from '../config.ts'
import { chatPage } from './chat-page.ts'

for (const check of checkPlugin(chatPage)) test(check.name, check.run)

const open = async (files: Readonly<Record<string, string>>) => {
  const folder = await mkdtemp(join(tmpdir(), 'chat-page-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const plugins = [...bundledPlugins(), chatPage(pathToFileURL(folder + sep))]
  const oracle = await testApp({ config, plugins })
  onTestFinished(() => oracle.app.close())
  return oracle
}

test('serves the page with a policy that allows nothing from elsewhere', async () => {
  const oracle = await open({ 'index.html': '<h1>Hello</h1>', 'page-1a.js': 'hello()' })
  const page = await oracle.app.request('/app')
  expect([page.status, await page.text()]).toEqual([200, '<h1>Hello</h1>'])
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self';/,
  )
  const script = await oracle.app.request('/app/page-1a.js')
  expect([await script.text(), script.headers.get('content-type')]).toEqual([
    'hello()',
    'text/javascript; charset=utf-8',
  ])
  expect((await oracle.app.request('/app/..%2fpackage.json')).status).toBe(404)
})

test('reports a page that is not built', async () => {
  const oracle = await open({})
  expect(await (await oracle.app.request('/app')).json()).toMatchObject({ code: 'page_not_built' })
})
