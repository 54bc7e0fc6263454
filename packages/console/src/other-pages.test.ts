import { entities } from '@sibyl/plugin-entities'
import { weather } from '@sibyl/plugin-weather'
import { describe, test } from 'vitest'
import { executablePath, startOracle, useConsoleTabs } from './testing/console.test.support.ts'

describe.skipIf(executablePath === undefined)('the other pages of an oracle are accessible', () => {
  const open = useConsoleTabs()

  test.each([
    ['/docs', 'light', 1280],
    ['/docs', 'dark', 1280],
    ['/docs', 'light', 360],
    ['/explorer', 'light', 1280],
    ['/explorer', 'dark', 360],
  ] as const)('%s (%s, %i px)', async (path, colorScheme, width) => {
    const oracle = await startOracle({ plugins: [weather(), entities()] })
    const { page, audit } = await open(oracle, { path, under: '', scopes: 'signed out', colorScheme, width })
    await page.waitForLoadState('networkidle')
    await audit()
  })
})
