import { bundledPlugins } from '@sibyl/bundle'
import { switchedOn, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { lintDocument } from './lint-document.ts'

const readDocument = async (): Promise<string> => {
  const plugins = bundledPlugins()
  await using oracle = await testApp({
    plugins,
    env: { ...switchedOn(plugins), PUBLIC_URL: 'https://oracle.sibyl.test' },
  })
  return await (await oracle.app.request('/openapi.json')).text()
}

test('the OpenAPI document of an oracle with the bundled plugins has no findings', async () => {
  const text = await readDocument()
  expect(await lintDocument(text)).toEqual([])
  expect(text).not.toContain('x-undescribed')
})

interface Spoilt {
  readonly paths: Record<string, unknown>
  readonly components: { readonly schemas: Record<string, unknown> }
}

test('finds an answer without a description, a reference to nothing and a schema that nothing uses', async () => {
  const document = JSON.parse(await readDocument()) as Spoilt
  document.paths['/x'] = { get: { responses: { 200: {} } } }
  document.paths['/y'] = { $ref: '#/nowhere' }
  document.components.schemas.Spare = { type: 'string' }
  const rules = (await lintDocument(JSON.stringify(document))).map(violation => violation.rule)
  expect(rules).toEqual(expect.arrayContaining(['struct', 'no-unresolved-refs', 'no-unused-components']))
})
