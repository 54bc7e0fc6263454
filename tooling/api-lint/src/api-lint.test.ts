import { bundledPlugins } from '@sibyl/bundle'
import { createOracleApp } from '@sibyl/core'
import { silentLogger, switchedOn } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { lintDocument } from './lint-document.ts'

const readDocument = async (): Promise<string> => {
  const plugins = bundledPlugins()
  const oracle = await createOracleApp({
    plugins,
    env: { ...switchedOn(plugins), DATABASE_URL: 'memory:', PUBLIC_URL: 'https://oracle.sibyl.test' },
    logger: silentLogger,
  })
  try {
    return await (await oracle.request('/openapi.json')).text()
  } finally {
    await oracle.close()
  }
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

test.each<[string, string, (document: Spoilt) => void]>([
  [
    'an answer without a description',
    'struct',
    ({ paths }) => {
      paths['/x'] = { get: { responses: { 200: {} } } }
    },
  ],
  [
    'a reference to nothing',
    'no-unresolved-refs',
    ({ paths }) => {
      paths['/x'] = { $ref: '#/nowhere' }
    },
  ],
  [
    'a schema that nothing uses',
    'no-unused-components',
    ({ components }) => {
      components.schemas.Spare = { type: 'string' }
    },
  ],
])('%s is found', async (_, rule, spoil) => {
  const document = JSON.parse(await readDocument())
  spoil(document)
  expect((await lintDocument(JSON.stringify(document))).map(violation => violation.rule)).toContain(rule)
})
