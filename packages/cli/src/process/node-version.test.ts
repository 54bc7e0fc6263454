import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { oldestNode, oldNode } from './node-version.ts'

test.each(['18.20.8', '20.20.2', '22.17.1', '22.0.0'])('%s is too old', version => {
  expect(oldNode(version)?.message).toBe(`This is Node ${version}; sibyl needs 22.18 or later.`)
})

test.each(['22.18.0', '22.22.1', '23.0.0', '24.21.0', '25.0.0-nightly20260101'])('%s is not', version => {
  expect(oldNode(version)).toBeUndefined()
})

test('the package requires the same', () => {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(engines.node).toBe(`>=${oldestNode}`)
})
