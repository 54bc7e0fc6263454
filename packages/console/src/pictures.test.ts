import { claims } from '@sibyl/plugin-claims'
import { credentials } from '@sibyl/plugin-credentials'
import { credits } from '@sibyl/plugin-credits'
import { entities } from '@sibyl/plugin-entities'
import { files } from '@sibyl/plugin-files'
import { memory } from '@sibyl/plugin-memory'
import { sms } from '@sibyl/plugin-sms'
import { tasks } from '@sibyl/plugin-tasks'
import { userPreferences } from '@sibyl/plugin-user-preferences'
import { ussd } from '@sibyl/plugin-ussd'
import { weather } from '@sibyl/plugin-weather'
import { describe, expect, test } from 'vitest'
import { chromiumPath, useConsole } from './testing/console.test.support.ts'

const writesPictures = process.env.SIBYL_PICTURES !== undefined && chromiumPath !== undefined

const keyOfTheFields = 'key-of-the-fields-0123456789'

const env = {
  ORACLE_NAME: 'Field Oracle',
  NODE_ENV: 'development',
  PIN_ENCRYPTION_KEY: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  ENTITIES_API_KEYS: `fields:${keyOfTheFields}:read+write`,
  MEMORY_MCP_URL: 'embedded:',
  SMS_PROVIDER: 'embedded:',
}

const places = [
  ['Kibera borehole', 36.78, -1.31],
  ['Kisumu water kiosk', 34.76, -0.09],
  ['Mombasa desalination', 39.66, -4.04],
  ['Eldoret solar pump', 35.27, 0.52],
  ['Garissa well', 39.65, -0.45],
] as const

/** `npx -y pnpm@12 images` writes the pictures of the guide with these. */
describe.skipIf(!writesPictures)('pictures of the guide', () => {
  const { startOracle, open } = useConsole()

  const prepare = async () => {
    const oracle = await startOracle({
      plugins: [
        entities(),
        claims(),
        credentials(),
        credits(),
        files(),
        memory(),
        sms(),
        tasks(),
        userPreferences(),
        ussd(),
        weather(),
      ],
      env,
    })
    for (const [name, longitude, latitude] of places) {
      await fetch(`${oracle.url}/v1/entities`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keyOfTheFields}`, 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'Device', properties: { name, location: { latitude, longitude } } }),
      })
    }
    return oracle
  }

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
  ] as const)('%s, %i px', async (colorScheme, width) => {
    const oracle = await prepare()
    const { page, picture } = await open(oracle, { colorScheme, width })
    const names = { home: '/', phone: '/phone', twins: '/twins', operations: '/operations', users: '/users' }
    await page.getByLabel('Ask something').fill('Remind me in ten minutes to check the pump')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.waitForURL(/\/console\/chat\/.+/)
    await page.getByRole('log').getByText('pump').nth(1).waitFor()
    await page.getByRole('button', { name: 'Send' }).waitFor()
    await picture(`console-chat-${colorScheme}-${width}`)
    for (const [name, path] of Object.entries(names)) {
      await page.goto(`${oracle.url}/console${path === '/' ? '' : path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expect.poll(() => page.getByLabel('Loading…').count()).toBe(0)
      await picture(`console-${name}-${colorScheme}-${width}`)
    }
  })
})
