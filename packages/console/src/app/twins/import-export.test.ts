import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EntityRecord } from '@sibyl/plugin-entities/records'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import writeXlsx from 'write-excel-file/node'
import { chromiumPath, useConsole } from '../../testing/console.test.support.ts'
import { startProgramme } from './twins.test.support.ts'

const csv = (rows: readonly (readonly unknown[])[]) => ({
  name: 'stoves.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(rows.map(cells => cells.join(',')).join('\r\n')),
})

const header = ['serial', 'name', 'fuel', 'watts', 'note']

describe.skipIf(chromiumPath === undefined)('import and export of entities', () => {
  const { startOracle, open, share } = useConsole()
  const shared = share(async () => {
    const env = { RATE_LIMIT_DID_PER_MINUTE: '2000', RATE_LIMIT_ADDRESS_PER_MINUTE: '5000' }
    const programme = await startProgramme(options => startOracle({ ...options, env: { ...options?.env, ...env } }))
    return { ...programme, ...(await open(programme.oracle)) }
  })

  const choose = async (page: Page, file: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) => {
    await page.getByRole('combobox', { name: 'Protocol' }).click()
    await page.getByRole('option', { name: 'Clean cooking' }).click()
    await page.getByLabel('Type where the file has none').fill('CookStove')
    await page.locator('input[type=file]').setInputFiles(file)
  }

  const serials = async () => {
    const { entities } = await shared().call<{ entities: EntityRecord[] }>(
      'GET',
      'v1/entities?type=CookStove&limit=100',
    )
    return entities
      .map(({ properties }) => String(properties.serial))
      .filter(serial => serial.startsWith('I-'))
      .toSorted()
  }

  test('a CSV of 50,000 rows with 300 errors is read without a freeze, and its rejected rows are downloaded', {
    tags: 'long',
  }, async () => {
    const { page, visit, auditEverywhere, size } = shared()
    const rows = Array.from({ length: 50_000 }, (_, index) => {
      const isWrong = index % 166 === 7 && index < 166 * 300
      return [
        `B-${index}`,
        `Stove "${index}"`.replaceAll('"', ''),
        isWrong ? 'coal' : 'pellets',
        isWrong ? -1 : 900,
        'x',
      ]
    })
    await visit('/twins/entities')
    await page.getByRole('link', { name: 'Import' }).click()
    await choose(page, csv([header]))
    await page.getByText('0 rows can be registered. 0 rows have errors.').waitFor()
    await page.evaluate(() => {
      const counted = globalThis as { drawn?: number; longest?: number }
      counted.drawn = 0
      let last = performance.now()
      const frame = () => {
        counted.drawn = (counted.drawn ?? 0) + 1
        counted.longest = Math.max(counted.longest ?? 0, performance.now() - last)
        last = performance.now()
        requestAnimationFrame(frame)
      }
      requestAnimationFrame(frame)
    })
    const folder = await mkdtemp(join(tmpdir(), 'console-import-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'stoves.csv')
    await writeFile(path, csv([header, ...rows]).buffer)
    await page.locator('input[type=file]').setInputFiles(path)
    await page.getByText('49,700 rows can be registered. 300 rows have errors.').waitFor()
    const { drawn, longest } = await page.evaluate(() => {
      const { drawn = 0, longest = 0 } = globalThis as { drawn?: number; longest?: number }
      return { drawn, longest }
    })
    expect(drawn).toBeGreaterThan(10)
    await size('import', { drawn, longest })
    await page.getByText('These columns are not imported: note').waitFor()
    const table = page.getByRole('region', { name: 'Rows with errors' })
    await table.getByText('fuel: Not one of: pellets, ethanol. watts: At least 0.').first().waitFor()
    expect(await table.getByRole('row').count()).toBeLessThan(60)
    await auditEverywhere('import')
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download these rows' }).click(),
    ])
    const lines = (await readFile(await saved.path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(301)
    expect(lines[1]).toBe(`B-7,Stove 7,coal,"'-1",x,9,"fuel: Not one of: pellets, ethanol. watts: At least 0."`)
    expect(await serials()).toEqual([])
  })

  test('rows are registered once: after a 429, a stop, an error of the oracle, and a second run', async () => {
    const { page, visit, audit, picture, faults } = shared()
    const file = csv([
      [...header, 'relationships.operator'],
      ...Array.from({ length: 8 }, (_, index) => [`I-${index}`, `Stove ${index}`, 'ethanol', 700 + index, '']),
      ['I-0', 'Stove 0', 'ethanol', 700, ''],
      ['', 'Nameless', 'ethanol', 1, ''],
      ['I-x', 'Unknown operator', 'ethanol', 1, '', 'not a DID'],
    ])
    let posts = 0
    const held = Promise.withResolvers<void>()
    const stopped = Promise.withResolvers<void>()
    await page.route('**/v1/entities', async route => {
      if (route.request().method() !== 'POST') return route.fallback()
      posts += 1
      if (posts === 3)
        return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: { code: 'rate_limited' } })
      if (posts === 6) {
        held.resolve()
        await stopped.promise
      }
      return route.fallback()
    })
    await visit('/twins/entities/import')
    await choose(page, file)
    await page.getByText('9 rows can be registered. 2 rows have errors.').waitFor()
    await page.getByText('The same as row 2.').waitFor()
    await page.getByText('serial: A value is required.').waitFor()
    await page.getByRole('button', { name: 'Register 9 entities' }).click()
    await held.promise
    await page.getByRole('button', { name: 'Stop' }).click()
    stopped.resolve()
    await page.getByRole('button', { name: 'Continue' }).waitFor()
    await picture('import-stopped')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('8 of 9 registered, 1 rejected by the oracle.').waitFor()
    await page.getByRole('row', { name: /I-x/ }).waitFor()
    const expected = Array.from({ length: 8 }, (_, index) => `I-${index}`)
    expect(await serials()).toEqual(expected)
    await page.unrouteAll()
    faults.splice(0)
    await audit()
    await picture('import-done')

    await visit('/twins/entities/import')
    await choose(page, file)
    await page.getByRole('button', { name: 'Register 9 entities' }).click()
    await page.getByText('8 of 9 registered, 1 rejected by the oracle.').waitFor()
    faults.splice(0)
    expect(await serials()).toEqual(expected)
  })

  test('the filtered entities are exported without formulas, and an export can be imported', async () => {
    const { page, visit, entity, protocol, evaluator } = shared()
    const name = '=HYPERLINK("https://evil.example")'
    await entity({
      type: 'CookStove',
      protocol: protocol.did,
      controller: evaluator,
      properties: { name, serial: '+27', watts: 5, location: { type: 'Point', coordinates: [36.8, -1.3] } },
    })
    const save = async (kind: string) => {
      await page.getByRole('button', { name: 'Export' }).click()
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: kind }).click(),
      ])
      return { name: saved.suggestedFilename(), mimeType: '', buffer: await readFile(await saved.path()) }
    }
    await visit('/twins/entities?property=watts%3D5')
    await page.getByRole('link', { name }).waitFor()
    const text = await save('CSV')
    const lines = text.buffer.toString('utf8').trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(`"'=HYPERLINK(""https://evil.example"")"`)
    expect(lines[1]).toContain(`,"'+27",`)
    const sheet = await save('Excel (XLSX)')
    for (const file of [text, sheet]) {
      await visit('/twins/entities/import')
      await choose(page, file)
      await page.getByText('1 row can be registered. 0 rows have errors.').waitFor()
      await page.getByText(/not imported: did, domainClass/).waitFor()
    }
  })

  test('an XLSX of 30,000 rows is read', { tags: 'long' }, async () => {
    const { page, visit } = shared()
    const rows = Array.from({ length: 30_000 }, (_, index) => [`X-${index}`, `Stove ${index}`, 'pellets', index])
    const buffer = await writeXlsx([header.slice(0, 4), ...rows]).toBuffer()
    await visit('/twins/entities/import')
    await choose(page, { name: 'stoves.xlsx', mimeType: '', buffer })
    await page.getByText('30,000 rows can be registered. 0 rows have errors.').waitFor()
  })
})
