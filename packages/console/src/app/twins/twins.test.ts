import type { EntityRecord } from '@sibyl/plugin-entities/records'
import { describe, expect, test } from 'vitest'
import { chromiumPath, useConsole } from '../../testing/console.test.support.ts'
import { startProgramme, startTwins } from './twins.test.support.ts'

const claimOf = (stove: EntityRecord, collection: string, hours: number, evidence: object[] = []) => ({
  collection,
  asset: stove.did,
  type: 'usage',
  data: { week: '2026-W46', hours },
  evidence,
})

const photo = {
  hash: `sha256:${'ab'.repeat(32)}`,
  mediaType: 'image/jpeg',
  name: 'kitchen.jpg',
  url: 'https://files.example/kitchen.jpg',
}

describe.skipIf(chromiumPath === undefined)('twins in Chromium', () => {
  const { startOracle, open, share } = useConsole()

  describe('without entities', () => {
    const shared = share(async () => {
      const twins = await startTwins(startOracle)
      return { ...twins, ...(await open(twins.oracle, { path: '/twins' })) }
    })

    test('an empty oracle shows how to register the first entity, in all views and languages', {
      tags: 'long',
    }, async () => {
      const { page, visit, speak, audit, picture } = shared()
      await page.getByText('There are no entities yet').waitFor()
      await page.getByRole('button', { name: 'Register an entity' }).waitFor()
      await audit()
      await picture('twins-empty')
      await page.getByText('Map', { exact: true }).click()
      await page.getByText('No entity has a position').waitFor()
      await page.getByText('Graph', { exact: true }).click()
      await page.getByText('There are no entities yet').waitFor()
      await page.getByRole('link', { name: 'Claims' }).click()
      await page.getByText('No claim needs your decision').waitFor()
      await audit()
      await page.getByRole('link', { name: 'Protocols' }).click()
      await page.getByText('There are no protocols yet').waitFor()
      await audit()
      await visit('/twins')
      for (const [language, text] of [
        ['fr', 'Il n’y a pas encore d’entités'],
        ['sw', 'Bado hakuna vitu'],
        ['en', 'There are no entities yet'],
      ] as const) {
        await speak(language)
        await page.getByText(text).waitFor()
        await audit()
      }
    })

    test('a protocol is created and changed with the form and with JSON, each as a version', {
      tags: 'long',
    }, async () => {
      const { page, visit, call, auditEverywhere, audit, picture } = shared()
      await visit('/twins/protocols/new')
      await page.getByLabel('Name', { exact: true }).first().fill('Water points')
      const properties = page.getByRole('group', { name: 'Properties of entities' })
      await properties.getByRole('button', { name: 'Add field' }).click()
      await properties.getByLabel('Name').fill('depth')
      await properties.getByLabel('Type').click()
      await page.getByRole('option', { name: 'Number' }).click()
      await properties.getByLabel('Unit').fill('m')
      await properties.getByLabel('Required').check()
      await page.getByRole('tabpanel').getByLabel(/depth/).fill('12')
      expect(await page.getByRole('tabpanel').getByLabel(/depth/).inputValue()).toBe('12 m')
      const conditions = page.getByRole('group', { name: 'Conditions for approval' })
      const fields = page.getByRole('group', { name: 'Fields of claims' })
      await fields.getByRole('button', { name: 'Add field' }).click()
      await fields.getByLabel('Name').fill('litres')
      await conditions.getByRole('button', { name: 'Add condition' }).click()
      await auditEverywhere('twins-protocol-new')
      await page.getByRole('button', { name: 'Create protocol' }).click()
      await page.getByRole('heading', { level: 1, name: 'Water points' }).waitFor()
      const { protocols } = await call<{ protocols: { did: string; version: number; properties: object }[] }>(
        'GET',
        'v1/protocols',
      )
      expect(protocols).toMatchObject([
        { version: 1, properties: { depth: { type: 'number', required: true, unit: 'm' } } },
      ])

      await page.getByRole('tab', { name: 'JSON' }).click()
      const json = page.getByLabel('Protocol as JSON')
      const document = JSON.parse(await json.inputValue())
      await json.fill('{"properties": {"a": "date"}}')
      await page.getByText('The text is not a valid protocol.').waitFor()
      document.properties = { depth: { type: 'number', unit: 'm' }, village: { type: 'string' } }
      await json.fill(JSON.stringify(document))
      await expect.poll(() => properties.getByLabel('Name').nth(1).inputValue()).toBe('village')
      await page.getByRole('button', { name: 'Save as version 2' }).click()
      await page.getByText('Version 2 is saved.').waitFor()
      expect(await call('GET', `v1/protocols/${encodeURIComponent(protocols[0]!.did)}`)).toMatchObject({
        version: 2,
        properties: { depth: { type: 'number', unit: 'm' }, village: { type: 'string' } },
      })
      await page.getByRole('button', { name: 'Save as version 3' }).waitFor()
      await audit()
      await picture('twins-protocol')
      await page.getByRole('tab', { name: 'Versions' }).click()
      await expect.poll(() => page.getByRole('table', { name: 'Versions' }).getByRole('row').count()).toBe(2)
      await audit()
    })
  })

  describe('of a programme', () => {
    const shared = share(async () => {
      const programme = await startProgramme(startOracle)
      return { ...programme, ...(await open(programme.oracle, { path: '/twins' })) }
    })

    test('the graph starts at an entity, expands, and is read as a list', { tags: 'long' }, async () => {
      const { page, visit, auditEverywhere, organisation } = shared()
      await visit(`/twins/entities?view=graph&from=${encodeURIComponent(organisation.did)}`)
      await page.locator('.react-flow__node', { hasText: 'Lake Basin Cooks' }).waitFor()
      await page.locator('.react-flow__node', { hasText: 'Stove A-17' }).waitFor()
      const before = await page.locator('.react-flow__node').count()
      await page.locator('.react-flow__node', { hasText: 'Members' }).waitFor()
      await auditEverywhere('twins-graph', () => page.locator('.react-flow__node', { hasText: 'Stove A-17' }).waitFor())
      await page.locator('.react-flow__node', { hasText: 'Stove A-17' }).click()
      await page.getByText('1 relationship', { exact: true }).waitFor()
      await page.getByRole('button', { name: '→ operator 1' }).waitFor()
      await page.getByRole('region', { name: 'operator' }).getByRole('link', { name: 'Lake Basin Cooks' }).waitFor()
      expect(before).toBe(6)
      await page.getByRole('combobox', { name: 'Start from' }).fill('Stove A-18')
      await page.getByRole('option', { name: /Stove A-18/ }).click()
      await page.locator('.react-flow__node', { hasText: 'Stove A-18' }).waitFor()
      await expect.poll(() => page.locator('.react-flow__node').count()).toBe(2)
    })

    test('entities are listed, narrowed, searched, and one is opened with its history and proof', async () => {
      const { page, visit, audit, auditEverywhere, picture, call, entity, protocol, organisation } = shared()
      const stove = await entity({
        type: 'CookStove',
        protocol: protocol.did,
        properties: { name: 'Stove B-1', serial: 'B-1', fuel: 'pellets', watts: 1_800 },
        relationships: { operator: organisation.did },
      })
      await call(
        'PATCH',
        `v1/entities/${encodeURIComponent(stove.did)}`,
        { properties: { fuel: 'ethanol', watts: 900 } },
        {
          'if-match': '"1"',
        },
      )
      await visit('/twins/entities')
      await page.getByRole('link', { name: 'Stove A-17' }).waitFor()
      await page.getByRole('link', { name: 'Clean cooking' }).waitFor()
      await auditEverywhere('twins-table', () => page.getByText('Stove A-17').first().waitFor())
      await page.getByLabel('Type').fill('Organisation')
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'Lake Basin Cooks' }).waitFor()
      await expect.poll(() => page.getByRole('link', { name: /Stove/ }).count()).toBe(0)
      expect(page.url()).toContain('type=Organisation')
      await page.getByRole('button', { name: 'Clear' }).click()
      await page.getByLabel('Search').fill('pellets')
      await page.keyboard.press('Enter')
      await expect.poll(() => page.getByRole('link', { name: /Stove/ }).count()).toBe(2)
      await page.getByRole('link', { name: 'Stove A-19' }).waitFor()
      await page.getByRole('button', { name: 'Clear' }).click()
      await page.getByRole('link', { name: 'Stove B-1' }).click()
      await page.getByRole('heading', { level: 1, name: 'Stove B-1' }).waitFor()
      await page.getByRole('link', { name: 'Lake Basin Cooks' }).waitFor()
      await auditEverywhere('twins-entity', () => page.getByText('Lake Basin Cooks').first().waitFor())
      await page.getByRole('tab', { name: 'History' }).click()
      await page.getByText('all 2 links are valid').waitFor()
      await page.getByRole('button', { name: 'Differences' }).first().click()
      const changed = page.getByRole('row', { name: /watts/ })
      await changed.waitFor()
      expect(await changed.getByRole('cell').allTextContents()).toEqual(['properties › watts', '1800', '900'])
      expect(await page.getByRole('row', { name: /serial/ }).count()).toBe(0)
      await audit()
      await picture('twins-history')
    })

    test('a claim is evaluated, approved and rejected by keyboard, and its credential is verified', {
      tags: 'long',
    }, async () => {
      const { page, visit, audit, auditEverywhere, picture, claim, stoves, collection, call } = shared()
      const first = await claim(claimOf(stoves[0]!, collection.id, 19.5, [photo]))
      const second = await claim(claimOf(stoves[1]!, collection.id, 5))
      await visit('/twins/claims')
      const links = page.getByRole('table').getByRole('link', { name: /^usage/ })
      await expect.poll(() => links.count()).toBe(2)
      await page.getByRole('link', { name: 'Stove A-17' }).waitFor()
      await audit()
      await picture('twins-claims')
      await links.first().click()
      await page.getByRole('heading', { level: 1, name: `usage …${first.id.slice(-6)}` }).waitFor()
      await page.getByText('kitchen.jpg', { exact: true }).waitFor()
      await page.getByText('https://files.example/kitchen.jpg', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Evaluate' }).waitFor()
      await page.getByLabel('Keyboard shortcuts').check()
      await page.getByRole('heading', { level: 1 }).click()
      await page.keyboard.press('e')
      await page.getByText('The claim is waiting for the decision of a person.').waitFor()
      await page.getByRole('row', { name: /used/ }).waitFor()
      await auditEverywhere('twins-claim', () => page.getByText('Stove A-17').first().waitFor())
      await page.keyboard.press('a')
      await page.getByText('Enter a reason of at least 3 characters.').waitFor()
      await page.getByLabel('Reason').fill('The photo shows the stove.')
      await page.getByRole('button', { name: 'Approve' }).click()
      const asked = page.getByRole('dialog', { name: 'Issue a CleanCookingCredential?' })
      await asked.getByText('Stove A-17').waitFor()
      await audit()
      await picture('twins-issue')
      await asked.getByRole('button', { name: 'Approve' }).click()
      await page.getByText('This claim is approved.').waitFor()
      expect(await call(`GET`, `v1/claims/${first.id}`)).toMatchObject({
        state: 'approved',
        credential: { status: 'issued' },
      })

      const dialog = page.getByRole('dialog', { name: 'CleanCookingCredential', exact: true })
      await dialog.getByRole('img', { name: 'QR code' }).waitFor()
      await dialog.getByRole('button', { name: 'Verify' }).click()
      await dialog.getByText('Verified', { exact: true }).waitFor()
      await dialog.getByRole('row', { name: /signature/ }).waitFor()
      await audit()
      await picture('twins-credential')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })

      await page.keyboard.press('j')
      await page.getByRole('heading', { level: 1, name: `usage …${second.id.slice(-6)}` }).waitFor()
      await page.keyboard.press('e')
      await page.getByLabel('Reason').fill('The week is unknown.')
      await page.getByLabel('Reason').press('Tab')
      await page.keyboard.press('r')
      await page.getByText('This claim is rejected.').waitFor()
      await page.getByLabel('Reason').fill('It was a Monday.')
      await page.getByRole('button', { name: 'Dispute' }).click()
      await page.getByText('The decision is disputed.').first().waitFor()
      expect(await call(`GET`, `v1/claims/${second.id}`)).toMatchObject({ state: 'disputed' })
      await audit()
    })

    test('a stove is registered, claimed, approved, and its credential shown, by mouse', { tags: 'long' }, async () => {
      const { page, visit, audit, auditEverywhere, picture, call } = shared()
      await visit('/twins/entities')
      await page.getByRole('button', { name: 'Register an entity' }).click()
      const form = page.getByRole('dialog', { name: 'Register an entity' })
      await form.getByLabel('Protocol').click()
      await page.getByRole('option', { name: 'Clean cooking' }).click()
      await form.getByLabel('Type').fill('CookStove')
      await form.getByLabel('name', { exact: true }).fill('Stove C-1')
      await form.getByLabel('watts').fill('-5')
      await form.getByLabel('watts').blur()
      expect(await form.getByRole('button', { name: 'Register an entity' }).isEnabled()).toBe(false)
      await form.getByLabel('serial').fill('C-1')
      await form.getByLabel('fuel').click()
      await page.getByRole('option', { name: 'pellets' }).click()
      await form.getByLabel('location').fill('{"type": "Point", "coordinates": [36.8, -1.3]}')
      await auditEverywhere('entity-form', () => form.getByLabel('serial').waitFor())
      await form.getByRole('button', { name: 'Register an entity' }).click()
      await page.getByRole('heading', { level: 1, name: 'Stove C-1' }).waitFor()

      await page.getByRole('tab', { name: 'Change' }).click()
      await page.getByLabel('watts').fill('900')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('version 2', { exact: true }).waitFor()
      await page.getByRole('tab', { name: 'Claims' }).click()
      await page.getByRole('button', { name: 'Submit a claim' }).click()
      const claim = page.getByRole('dialog', { name: 'Submit a claim' })
      await claim.getByLabel('week').fill('2026-W46')
      await claim.getByLabel('hours').fill('12')
      await claim
        .locator('input[type=file]')
        .setInputFiles({ name: 'kitchen.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('photo') })
      await audit()
      await picture('claim-form')
      await claim.getByRole('button', { name: 'Submit a claim' }).click()
      await page.getByRole('heading', { level: 1, name: /^claim …/ }).waitFor()
      await page.getByText('kitchen.jpg', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Evaluate' }).click()
      await page.getByLabel('Reason').fill('The photo shows the stove.')
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
      await page.getByText('This claim is approved.').waitFor()
      const shown = page.getByRole('dialog', { name: 'CleanCookingCredential', exact: true })
      await shown.getByRole('img', { name: 'QR code' }).waitFor()
      for (const [verb, status] of [
        ['Suspend', 'suspended'],
        ['Revoke', 'revoked'],
      ] as const) {
        await shown.getByRole('button', { name: verb }).click()
        const asked = page.getByRole('dialog', { name: verb })
        await asked.getByLabel('Reason').fill('The stove was sold.')
        await asked.getByRole('button', { name: verb }).click()
        await shown.getByText(status, { exact: true }).first().waitFor()
      }
      expect(await shown.getByRole('button', { name: 'Revoke' }).count()).toBe(0)
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'Stove C-1' }).first().click()
      await page.getByRole('tab', { name: 'Credentials' }).click()
      await page.getByRole('button', { name: 'Issue a credential' }).click()
      const issue = page.getByRole('dialog', { name: 'Issue a credential' })
      await issue.getByLabel('Type').fill('SafetyCredential')
      await issue.getByLabel('Statements about the entity, as JSON').fill('{"level": 3}')
      await audit()
      await picture('credential-form')
      await issue.getByRole('button', { name: 'Issue a credential' }).click()
      await page.getByRole('row', { name: /SafetyCredential/ }).waitFor()
      const { entities } = await call<{ entities: EntityRecord[] }>('GET', 'v1/entities?property.serial=C-1')
      expect(entities).toMatchObject([{ type: 'CookStove', properties: { name: 'Stove C-1', watts: 900 } }])
    })

    test('an evaluator with few abilities sees the queue, and not what the abilities do not cover', {
      tags: 'long',
    }, async () => {
      const { oracle, claim, stoves, collection } = shared()
      const { id } = await claim(claimOf(stoves[0]!, collection.id, 19.5))
      const { page } = await open(oracle, { path: '/twins/claims', scopes: ['claims/read', 'claims/evaluate'] })
      const name = `usage …${id.slice(-6)}`
      await page.getByRole('table').getByRole('link', { name }).click()
      await page.getByRole('button', { name: 'Evaluate' }).click()
      await page.getByText('The claim is waiting for the decision of a person.').waitFor()
      await page.getByTitle(stoves[0]!.did).first().waitFor()
      await page.getByRole('navigation', { name: 'Twins' }).getByRole('link', { name: 'Entities' }).click()
      await page.getByText('This view needs the ability entities/read.').waitFor()
      expect(await page.getByRole('link', { name: 'Operations' }).count()).toBe(0)
      const reader = await open(oracle, {
        path: '/twins/claims?show=all',
        scopes: ['claims/read', 'entities/read', 'session/read'],
      })
      await reader.page.getByRole('table').getByRole('link', { name }).click()
      await reader.page.getByText('No decision is open to you.').waitFor()
      expect(await reader.page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
      expect(reader.faults).toEqual([])
      await reader.audit()
    })

    test('hostile names, values, addresses and rules stay text in every view', { tags: 'long' }, async () => {
      const { page, faults, visit: navigate, entity, claim, collection, call, protocol, evaluator } = shared()
      const script =
        '<img src=x onerror=document.title=1><svg onload=document.title=2><script>document.title=3</script>'
      const hostile = [
        script,
        'javascript:document.title=4',
        '=HYPERLINK("https://evil.example")',
        '{{constructor}}',
        '\u202Egnp.exe',
      ]
      const asset = await entity({
        type: 'CookStove',
        protocol: protocol.did,
        controller: evaluator,
        properties: {
          name: script,
          serial: hostile.join(' '),
          location: { type: 'Point', coordinates: [36.8, -1.3], note: script },
        },
        alsoKnownAs: hostile.slice(1),
        services: [{ id: '#data', type: script.slice(0, 90), endpoint: 'https://files.example/%3Cscript%3E' }],
      })
      const evil = await entity({
        type: 'Protocol',
        alsoKnownAs: [script],
        properties: { a: { type: 'string', description: script } },
      })
      const stove = claimOf(asset, collection.id, 9, [{ ...photo, name: script.slice(0, 200) }])
      const { id } = await claim({ ...stove, data: { ...stove.data, week: script } })
      const isText = async () => {
        expect(await page.locator('main img, main script, main svg[onload], a[href^="javascript:"]').count()).toBe(0)
        expect(await page.title()).not.toMatch(/^[1-4]$/)
        expect(faults).toEqual([])
      }
      const visit = async (path: string, text: string) => {
        await navigate(path)
        await page.getByText(text).first().waitFor()
        await isText()
      }
      await visit('/twins/entities', script)
      await visit('/twins/entities?view=map', script)
      await visit(`/twins/entities?view=graph&from=${encodeURIComponent(asset.did)}`, script)
      await visit(`/twins/entities/${encodeURIComponent(asset.did)}`, 'javascript:document.title=4')
      await page.getByRole('tab', { name: 'History' }).click()
      await page.getByRole('button', { name: 'Differences' }).click()
      await page.getByRole('row', { name: /serial/ }).waitFor()
      await isText()
      await page.getByRole('tab', { name: 'Record' }).click()
      await page.getByRole('button', { name: 'Copy', exact: true }).first().waitFor()
      await isText()
      await visit(`/twins/claims/${id}`, script)
      await page.getByRole('button', { name: 'Evaluate' }).click()
      await page.getByLabel('Reason').fill(script)
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
      await page.getByText('This claim is approved.').waitFor()
      await isText()
      const shown = page.getByRole('dialog', { name: 'CleanCookingCredential', exact: true })
      await shown.getByRole('tab', { name: 'Document' }).click()
      await shown.getByText('"proof"').waitFor()
      await isText()
      await visit('/twins/protocols', script)
      await visit(`/twins/protocols/${encodeURIComponent(evil.did)}`, script)
      await page.getByRole('tabpanel').getByLabel('a', { exact: true }).waitFor()
      await isText()
      await visit(`/twins/entities?q=${encodeURIComponent(script)}`, script)
      expect(await call('GET', `v1/claims/${id}`)).toMatchObject({ state: 'approved' })
    })

    test('the map shows entities at their positions, and their counts where there are many', {
      tags: 'long',
    }, async () => {
      const { page, visit, audit, auditEverywhere, picture, faults, entity, stoves } = shared()
      await visit('/twins/entities?view=map')
      await page.locator('.twins-map[data-ready=true] canvas').waitFor()
      for (const stove of stoves) await page.getByRole('link', { name: String(stove.properties.name) }).waitFor()
      await auditEverywhere('twins-map', () => page.getByText('Stove A-17').first().waitFor())
      for (let batch = 0; batch < 4; batch += 1) {
        await Promise.all(
          Array.from({ length: 130 }, (_, number) =>
            entity({
              type: 'Meter',
              properties: { latitude: (number % 13) - 6, longitude: 30 + batch * 2 + Math.floor(number / 13) / 5 },
            }),
          ),
        )
      }
      await page.reload()
      await page.getByText(/At least 52\d entities in view/).waitFor()
      const count = page.getByRole('button', { name: /Zoom to/ })
      await count.first().waitFor()
      await audit()
      await picture('twins-map-counts')
      await count.first().press('Enter')
      await page
        .getByRole('link', { name: /Meter|Stove/ })
        .first()
        .waitFor()
      expect(faults).toEqual([])
    })
  })
})
