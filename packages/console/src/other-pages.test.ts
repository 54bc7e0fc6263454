/** @module-tag long */
import { entities } from '@sibyl/plugin-entities'
import { weather } from '@sibyl/plugin-weather'
import { describe, test } from 'vitest'
import { chromiumPath, useConsole } from './testing/console.test.support.ts'

describe.skipIf(chromiumPath === undefined)('the other pages of an oracle are accessible', () => {
  const { startOracle, open } = useConsole()

  test.each(['/docs', '/explorer'])('%s', async path => {
    const oracle = await startOracle({ plugins: [weather(), entities()] })
    const { page, auditEverywhere } = await open(oracle, { path, under: '', scopes: 'signed out' })
    await page.getByRole('main').waitFor()
    await auditEverywhere(path.slice(1))
  })
})
