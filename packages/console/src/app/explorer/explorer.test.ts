import type { CollectionRecord } from '@sibyl/plugin-claims/records'
import { entities } from '@sibyl/plugin-entities'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { type ConsoleOracle, chromiumPath, type TabOptions, useConsole } from '../../testing/console.test.support.ts'
import { officeKey, startProgramme, startTwins } from '../twins/twins.test.support.ts'

const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>'

describe.skipIf(chromiumPath === undefined)('the explorer in Chromium', () => {
  const { startOracle, open, share } = useConsole()

  /** Opens the explorer at an address after `#`, and collects the requests to others. */
  const openExplorer = async (oracle: ConsoleOracle, address = '', options: TabOptions = {}) => {
    // The first request builds the app.
    await oracle.app.request('/explorer')
    const tab = await open(oracle, {
      under: '',
      path: `/explorer${address}`,
      scopes: 'signed out',
      isForDevelopers: false,
      ...options,
    })
    const foreign: string[] = []
    tab.page.on('request', request => {
      if (!request.url().startsWith(oracle.url) && !request.url().startsWith('data:')) foreign.push(request.url())
    })
    return { ...tab, foreign }
  }

  const enter = async (page: Page, key = officeKey) => {
    await page.locator('input[type=password]').fill(key)
    await page.keyboard.press('Enter')
  }

  test('a wrong key is reported, and only a right one is stored, in the tab only', async () => {
    const { oracle, entity } = await startTwins(startOracle)
    await entity({ type: 'Project', properties: { name: 'Kisumu households' } })
    const { page, audit, picture, faults } = await openExplorer(oracle)
    await page.getByLabel('API key').waitFor()
    await picture('explorer-key')
    await enter(page, 'not-the-right-key-at-all')
    await page.getByRole('alert').getByText('This oracle does not know that key.').waitFor()
    // The browser reports the rejected request.
    expect(faults.splice(0)).toEqual([expect.stringContaining('401')])
    await audit()
    const kept = () => page.evaluate(() => [{ ...sessionStorage }, { ...localStorage }, document.cookie])
    expect(await kept()).toEqual([{}, {}, ''])
    await enter(page)
    await page.getByRole('link', { name: 'Kisumu households' }).waitFor()
    expect(await kept()).toEqual([{ 'sibyl-explorer-key': officeKey }, {}, ''])
    await page.reload()
    await page.getByRole('link', { name: 'Kisumu households' }).waitFor()
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('menuitem', { name: 'Forget the key' }).click()
    await page.getByLabel('API key').waitFor()
    expect(await kept()).toEqual([{}, {}, ''])
    expect(faults).toEqual([])
  })

  test('a key that is no longer valid is asked for again', { tags: 'long' }, async () => {
    const { oracle } = await startTwins(startOracle)
    const { page } = await openExplorer(oracle)
    await page.evaluate(() => sessionStorage.setItem('sibyl-explorer-key', 'the-key-of-yesterday'))
    await page.reload()
    await page.getByRole('alert').getByText('The key is no longer valid.').waitFor()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  })

  test('hostile texts stay texts', { tags: 'long' }, async () => {
    const { oracle, entity } = await startTwins(startOracle)
    const { did } = await entity({
      type: 'CookStove',
      properties: { name: hostile, [hostile.slice(0, 60)]: { deep: hostile } },
    })
    const { page, faults } = await openExplorer(oracle)
    await enter(page)
    await page.getByRole('link', { name: hostile.slice(0, 20) }).click()
    await page.getByRole('heading', { level: 1, name: hostile.slice(0, 20) }).waitFor()
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByText('order and signature of its 1 link').waitFor()
    expect(await page.getByText('Verified', { exact: true }).isVisible()).toBe(true)
    expect(await page.locator('main img, main script').count()).toBe(0)
    expect(await page.title()).toContain(hostile.slice(0, 20))
    await page.getByRole('tab', { name: 'Record' }).click()
    await page.getByText(`"did": "${did}"`).first().waitFor()
    const document = await page.getByRole('link', { name: 'DID document' }).getAttribute('href')
    expect(await (await fetch(document ?? '')).json()).toMatchObject({ didDocument: { id: did } })
    expect(faults).toEqual([])
    const writeHtml = (text: string) => {
      globalThis.document.body.innerHTML = text
    }
    await expect(page.evaluate(writeHtml, hostile)).rejects.toThrow('TrustedHTML')
  })

  test('the recipient of an offer is listed beside the controller, and credentials without a proof are marked', {
    tags: 'long',
  }, async () => {
    const { oracle, entity } = await startTwins(startOracle)
    const offered = 'did:key:z6MkjchhfUsD6mmvni8mCdXHw216Xrm9bQe2mBH1P5RDjVJG'
    const { did } = await entity({
      type: 'CookStove',
      pendingController: offered,
      verifiableCredential: [{ type: 'WarrantyCredential', issuer: 'did:web:maker.example' }],
    })
    const { page } = await openExplorer(oracle, `#/entities/${encodeURIComponent(did)}`)
    await enter(page)
    await page.getByText('Offered to').waitFor()
    expect(await page.locator('dl').filter({ hasText: 'Offered to' }).textContent()).toContain('z6Mk')
    await page.getByText('WarrantyCredential').waitFor()
    await page.getByText('Not verified').waitFor()
  })

  test('the graph is walked with the keyboard, and the focus follows to the heading', { tags: 'long' }, async () => {
    const { oracle, entity } = await startTwins(startOracle)
    const project = await entity({ type: 'Project', properties: { name: 'Kisumu households' } })
    await entity({
      type: 'Organisation',
      properties: { name: 'Lake Basin' },
      relationships: { implements: [project.did] },
    })
    const { page } = await openExplorer(oracle)
    await enter(page)
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await page.getByRole('link', { name: 'Lake Basin', exact: true }).press('Enter')
    await expect.poll(focused).toBe('Lake Basin')
    await page.getByRole('link', { name: 'Show graph' }).press('Enter')
    const node = page.locator('.react-flow__node', { hasText: 'Kisumu' })
    await node.waitFor()
    await node.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Kisumu households' }).first().press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Kisumu households' }).waitFor()
    await expect.poll(focused).toBe('Kisumu households')
    expect(await page.title()).toBe('Kisumu households · Field Oracle: explorer')
  })

  test('an oracle without claims and an oracle that is gone are reported', { tags: 'long' }, async () => {
    const oracle = await startOracle({ plugins: [entities()], env: { ENTITIES_API_KEYS: `office:${officeKey}` } })
    const { page, context } = await openExplorer(oracle, '#/claims', { language: 'fr' })
    await page.getByRole('heading', { name: 'Ouvrir l’explorateur' }).waitFor()
    await enter(page)
    await page.getByText('claims').first().waitFor()
    await page.getByRole('link', { name: 'Entités' }).click()
    await page.getByText('Il n’y a pas encore d’entités').waitFor()
    await context.setOffline(true)
    await page.getByLabel('Type').fill('Stove')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('L’oracle ne répond pas').waitFor()
    await context.setOffline(false)
    await page.getByText('Aucune entité').waitFor()
  })

  describe('of a programme', () => {
    const shared = share(async () => {
      const programme = await startProgramme(startOracle)
      const tab = await openExplorer(programme.oracle)
      await enter(tab.page)
      return { ...programme, ...tab }
    })

    test('filters narrow the list, and an empty one explains how to continue, also on a phone', {
      tags: 'long',
    }, async () => {
      const { oracle, faults, page, audit, picture, auditDarkAndPhone, stoves } = shared()
      await page.setViewportSize({ width: 360, height: 740 })
      await page.getByRole('link', { name: 'Stove A-17' }).waitFor()
      await audit()
      await page.getByLabel('Type').fill('Organisation')
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'Lake Basin Cooks' }).waitFor()
      await expect.poll(() => page.getByRole('link', { name: /Stove/ }).count()).toBe(0)
      expect(new URL(page.url()).hash).toBe('#/entities?type=Organisation')
      await page.getByLabel('Search').fill('nothing of the kind')
      await page.keyboard.press('Enter')
      await page.getByText('No entity matches').waitFor()
      await page.getByRole('button', { name: 'Clear' }).click()
      await page.getByRole('link', { name: 'Stove A-17' }).click()
      await page.getByRole('heading', { level: 1, name: 'Stove A-17' }).waitFor()
      await page.getByRole('link', { name: 'Lake Basin Cooks' }).waitFor()
      await audit()
      await picture('explorer-entity-360')
      await page.setViewportSize({ width: 1280, height: 800 })
      for (const [name, address, text] of [
        ['entities', '', 'Stove A-17'],
        ['entity', `/${encodeURIComponent(stoves[0]!.did)}`, 'Lake Basin Cooks'],
        ['map', '?view=map', 'Stove A-17'],
      ] as const) {
        await page.goto(`${oracle.url}/explorer#/entities${address}`)
        const seen = async () => {
          await page.getByText(text).first().waitFor()
          if (name === 'map') await page.locator('.twins-map[data-ready=true] canvas').waitFor()
        }
        await seen()
        await audit()
        await picture(`explorer-${name}-light-1280`)
        await auditDarkAndPhone(`explorer-${name}`, seen)
      }
      expect(faults).toEqual([])
    })

    test('claims are read, not decided, and nothing is requested from others', async () => {
      const { oracle, page, call, claim, stoves, protocol, evaluate, faults, foreign, audit, picture } = shared()
      await page.goto(`${oracle.url}/explorer#/entities`)
      const rules = { title: 'By the rules', protocol: protocol.did, submitters: 'anyone' }
      const judged = await call<CollectionRecord>('POST', 'v1/collections', rules)
      const asset = stoves[0]!.did
      const waiting = await claim({ collection: judged.id, asset, data: { week: '2026-W46', hours: 19.5 } })
      await evaluate(waiting)
      const sent: string[] = []
      page.on('request', request => request.method() !== 'GET' && sent.push(request.url()))
      await page.getByRole('link', { name: 'Claims' }).click()
      await page.getByText('No claim matches').waitFor()
      await page.getByRole('combobox', { name: 'Show' }).click()
      await page.getByRole('option', { name: 'All' }).click()
      await page.getByRole('link', { name: new RegExp(waiting.id.slice(-6)) }).click()
      await page.getByRole('row', { name: /used/ }).waitFor()
      await page.getByRole('link', { name: 'Stove A-17' }).waitFor()
      await audit()
      await picture('explorer-claim')
      expect(await page.getByRole('button', { name: /Approve|Reject|Evaluate/ }).count()).toBe(0)
      await page.getByRole('link', { name: 'Protocols' }).click()
      await page.getByRole('link', { name: 'Clean cooking' }).click()
      await page.getByText('"at-least"').waitFor()
      expect(await page.getByRole('button', { name: /Save|New protocol/ }).count()).toBe(0)
      await audit()
      await picture('explorer-protocol')
      expect([sent, foreign, faults]).toEqual([[], [], []])
    })

    test('links from before show the same, and others lead nowhere', { tags: 'long' }, async () => {
      const { oracle, page, claim, stoves, collection } = shared()
      await page.goto(`${oracle.url}/explorer#/entities?words=A-18&domainClass=`)
      await page.getByRole('link', { name: 'Stove A-18' }).waitFor()
      await expect.poll(() => page.getByRole('link', { name: /Stove/ }).count()).toBe(1)
      const { id } = await claim({
        collection: collection.id,
        asset: stoves[0]!.did,
        data: { week: '2026-W46', hours: 19.5 },
      })
      const visit = async (address: string, text: string) => {
        await page.goto(`${oracle.url}/explorer${address}`)
        await page.getByText(text).first().waitFor()
      }
      for (const address of ['#', '#/', '#entities', '#/entities']) await visit(address, 'Stove A-17')
      await visit('#/claims?state=submitted', id.slice(-6))
      await visit('#/claims?state=rejected', 'No claim matches')
      await visit(`#/claims/${id}`, 'Stove A-17')
      await visit('#/nowhere', 'Page not found')
      await visit('#/__proto__', 'Page not found')
      await visit(`#/entities/${encodeURIComponent(stoves[1]!.did)}`, 'Lake Basin Cooks')
    })
  })
})
