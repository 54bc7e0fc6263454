/** @module-tag long */
import { claims } from '@sibyl/plugin-claims'
import type { ClaimRecord } from '@sibyl/plugin-claims/records'
import { entities } from '@sibyl/plugin-entities'
import type { EntityRecord } from '@sibyl/plugin-entities/records'
import { describe, expect, test } from 'vitest'
import { chromiumPath, type StartOracle, useConsole } from '../../testing/console.test.support.ts'
import { createFill } from '../../testing/fill.test.support.ts'
import { stoveProtocol } from './twins.test.support.ts'

const key = 'key-of-the-long-tables-00000000'

const start = async (startOracle: StartOracle) => {
  const fill = createFill()
  const oracle = await startOracle({
    plugins: [entities(), claims(), fill.plugin],
    env: { ENTITIES_API_KEYS: `office:${key}` },
  })
  const post = async <Body>(path: string, body: unknown) => {
    const response = await fetch(`${oracle.url}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    expect(response.status, JSON.stringify(answer)).toBe(201)
    return answer as Body
  }
  return { oracle, fill, post }
}

const idOf = (did: string) => did.split(':').at(-1) ?? ''

describe.skipIf(chromiumPath === undefined)('long tables of twins', () => {
  const { startOracle, open } = useConsole()

  test('100,000 entities are read in pages and drawn as far as they are visible', async () => {
    const { oracle, fill, post } = await start(startOracle)
    const model = await post<EntityRecord>('v1/entities', { type: 'Well', properties: { name: 'Well of the village' } })
    const id = idOf(model.did)
    const copyId = `substr('${id}', 1, 20) || printf('%06d', n)`
    await fill.copies(
      'entities_entities',
      { column: 'id', value: id, count: 99_999 },
      {
        id: copyId,
        did: `replace(did, '${id}', ${copyId})`,
        details: `json_set(details, '$.properties.name', 'Well ' || n)`,
      },
    )
    await fill.copies(
      'entities_listing',
      { column: 'entity_id', value: id, count: 99_999 },
      { position: null, entity_id: copyId },
    )
    const { page, audit, size, picture } = await open(oracle)
    const reads: string[] = []
    page.on('request', request => request.url().includes('/v1/entities') && reads.push(request.url()))
    const begun = performance.now()
    await page.getByRole('link', { name: 'Twins' }).click()
    const table = page.getByRole('region', { name: 'Entities' })
    await table.getByText('Well 99999', { exact: true }).waitFor()
    const atFirst = await size('100,000 entities, first page', { firstRowsMs: Math.round(performance.now() - begun) })
    expect(reads).toHaveLength(1)
    await table.focus()
    for (let loaded = 200; loaded <= 500; loaded += 100) {
      await page.keyboard.press('End')
      await page.getByText(`${loaded} rows loaded`).waitFor()
      expect(await table.getByRole('row').count()).toBeLessThan(60)
    }
    await page.keyboard.press('End')
    await table.getByText('Well 99500', { exact: true }).waitFor()
    const further = await size('100,000 entities, 500 loaded')
    expect(further.elements - atFirst.elements).toBeLessThan(600)
    expect(further.heapMb - atFirst.heapMb).toBeLessThan(20)
    await audit()
    await picture('twins-long')
    await table.hover()
    await page.mouse.wheel(0, -100_000)
    await table.getByText('Well 99999', { exact: true }).waitFor()
    await page.getByLabel('Search', { exact: true }).fill('village')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Well of the village' }).waitFor()
    await page.getByText('1 row', { exact: true }).waitFor()
  })

  test('10,000 claims that wait are read in pages, oldest first', async () => {
    const { oracle, fill, post } = await start(startOracle)
    const protocol = await post<EntityRecord>('v1/entities', stoveProtocol)
    const stove = await post<EntityRecord>('v1/entities', {
      type: 'CookStove',
      protocol: protocol.did,
      properties: { name: 'Stove A-17', serial: 'A-17' },
    })
    const user = await oracle.operator('/oauth/codes', { json: { name: 'Mutale', scopes: ['*'] } })
    const { did: evaluator } = (await user.json()) as { readonly did: string }
    const collection = await post<{ readonly id: string }>('v1/collections', {
      title: 'Season 2026',
      protocol: protocol.did,
      evaluation: 'person',
      submitters: 'anyone',
      evaluators: [evaluator],
    })
    const claim = await post<ClaimRecord>('v1/claims', {
      collection: collection.id,
      asset: stove.did,
      data: { week: '2026-W46', hours: 19.5 },
    })
    await fill.copies(
      'claims_claims',
      { column: 'id', value: claim.id, count: 9_999 },
      {
        id: `substr(id, 1, length(id) - 6) || printf('%06d', n)`,
        content_key: null,
        request_key: null,
      },
    )
    const { page, audit, size, picture } = await open(oracle, { path: '/twins/claims', name: 'Mutale' })
    const table = page.getByRole('region', { name: 'Claims' })
    await table.getByRole('row').nth(10).waitFor()
    const atFirst = await size('10,000 claims, first page')
    await table.focus()
    for (let loaded = 200; loaded <= 500; loaded += 100) {
      await page.keyboard.press('End')
      await page.getByText(`${loaded} rows loaded`).waitFor()
      expect(await table.getByRole('row').count()).toBeLessThan(60)
    }
    const further = await size('10,000 claims, 500 loaded')
    expect(further.elements - atFirst.elements).toBeLessThan(600)
    await audit()
    await picture('claims-long')
  })
})
