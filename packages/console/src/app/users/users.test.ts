import { createSigningKey, mintDelegation } from '@sibyl/identity'
import { definePlugin, defineTool, PersonNeeded, type Tool } from '@sibyl/plugin'
import { memory } from '@sibyl/plugin-memory'
import { sms } from '@sibyl/plugin-sms'
import { userPreferences } from '@sibyl/plugin-user-preferences'
import { readStream, type ScriptedStep, scriptedModel, testActor } from '@sibyl/testing'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { type ConsoleOracle, chromiumPath, useConsole } from '../../testing/console.test.support.ts'

const hostile = `<img src=x onerror="document.title='owned'"> **bold** [x](javascript:alert(1))`

/** Creates a plugin whose tool needs approval, and the payments that it made. */
const till = () => {
  const payments: number[] = []
  const pay = defineTool({
    description: 'Pays an amount.',
    input: z.object({ amount: z.number(), note: z.string().optional() }),
    effect: 'write',
    approval: 'user',
    describe: ({ amount, note = '' }) => `Pay ${amount} € ${note}`.trim(),
    execute: async ({ amount }) => {
      payments.push(amount)
      return { paid: amount }
    },
  })
  const plugin = definePlugin({
    name: 'till',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Till', summary: 'Pays.', whenToUse: ['someone wants to pay'], load: 'always' },
    setup: () => ({ tools: { pay: pay as Tool } }),
  })
  return { payments, plugin }
}

/** Sends a request as the user of a tab, with the token of its sign-in. */
const asUser = async (page: Page, oracle: ConsoleOracle, path: string, body?: unknown): Promise<Response> => {
  const stored = await page.evaluate(() => localStorage.getItem('sibyl-console'))
  const { access } = JSON.parse(stored ?? '{}') as { readonly access: string }
  return fetch(oracle.url + path, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
  })
}

const sendText = async (page: Page, oracle: ConsoleOracle, id: string, message: string) =>
  readStream(await asUser(page, oracle, '/chat', { id, message }))

describe.skipIf(chromiumPath === undefined)('users and access in Chromium', () => {
  const { startOracle, open, share } = useConsole()

  describe('the inbox', () => {
    const inbox = share(async () => {
      const { payments, plugin } = till()
      const pays = (): ScriptedStep[] => [
        { tool: 'pay', input: { amount: 5 }, id: 'pay-5' },
        { tool: 'pay', input: { amount: 6, note: hostile }, id: 'pay-6' },
        'done',
        'done',
      ]
      const oracle = await startOracle({ plugins: [plugin], model: scriptedModel([...pays(), ...pays()]) })
      const tab = await open(oracle, { path: '/users' })
      for (const [language, empty] of [
        ['fr', 'Rien ne vous attend'],
        ['sw', 'Hakuna kinachokusubiri'],
        ['en', 'No pending approvals'],
      ] as const) {
        await tab.speak(language)
        await tab.page.getByText(empty).waitFor()
      }
      /** Asks for two payments, each in a session. */
      const askTwice = async (first: string, second: string) => {
        await sendText(tab.page, oracle, first, 'Pay the seed supplier')
        await sendText(tab.page, oracle, second, hostile)
        await tab.page.reload()
        await tab.page.getByRole('article').nth(1).waitFor()
      }
      await askTwice('s1', 's2')
      return { ...tab, oracle, payments, askTwice }
    })

    test('the operator sees which approvals wait, of whom and where, without contents', { tags: 'long' }, async () => {
      const { page, audit, auditEverywhere, oracle } = inbox()
      await auditEverywhere('users-approvals')
      const { did } = await (await asUser(page, oracle, '/me')).json()
      await page.getByRole('link', { name: 'Show them' }).click()
      const rows = page.getByRole('row').filter({ hasText: 'pay' })
      await rows.nth(1).waitFor()
      expect(await rows.count()).toBe(2)
      await rows
        .first()
        .getByRole('link', { name: did.slice(-6) })
        .waitFor()
      expect(await page.locator('main').textContent()).not.toMatch(/supplier|onerror|Pay 5/)
      await auditEverywhere('users-waiting')
      await page.getByRole('combobox').click()
      await page.getByRole('option', { name: 'chat (2)' }).click()
      await rows.nth(1).waitFor()
      await audit()
    })

    test.each([
      ['fr', 'Les afficher'],
      ['sw', 'Zionyeshe'],
    ] as const)('the inbox and what waits fit a narrow screen (%s)', { tags: 'long' }, async (language, show) => {
      const { page, visit, speak, audit } = inbox()
      await speak(language)
      await visit('/users')
      await page.setViewportSize({ width: 360, height: 800 })
      await page.getByRole('article').nth(1).waitFor()
      await audit()
      await page.getByRole('link', { name: show }).click()
      await page.getByRole('row').filter({ hasText: 'pay' }).nth(1).waitFor()
      await audit()
      await speak('en')
    })

    test('the inbox shows what waits, its number in the navigation, and is answered in place', async () => {
      const { page, visit, payments, audit, oracle } = inbox()
      await visit('/users')
      await page.getByLabel('2 pending approvals').waitFor()
      const card = page.getByRole('article', { name: 'Pay 5 €' })
      expect(await card.locator('pre').isVisible()).toBe(false)
      await card.getByText('Arguments').click()
      expect(await card.locator('pre').textContent()).toBe('amount: 5')
      expect(await page.getByRole('article').first().locator('pre').textContent()).toBe(
        `amount: 6\nnote: ${JSON.stringify(hostile)}`,
      )
      expect(await card.getByRole('link', { name: 'Pay the seed supplier' }).getAttribute('href')).toBe(
        '/console/chat/s1',
      )
      await card.getByRole('button', { name: 'Approve once' }).click()
      await expect.poll(() => payments).toEqual([5])
      await card.waitFor({ state: 'detached' })
      await page.getByLabel('1 pending approval').waitFor()
      expect(await page.title()).not.toContain('owned')
      await page.getByRole('button', { name: 'Deny' }).click()
      await page.getByText('No pending approvals').waitFor()
      await expect.poll(async () => (await (await asUser(page, oracle, '/approvals')).json()).approvals).toEqual([])
      expect(payments).toEqual([5])
      await audit()
    })

    test('the inbox is answered by keys alone', { tags: 'long' }, async () => {
      const { page, visit, payments, askTwice } = inbox()
      payments.length = 0
      await visit('/users')
      await askTwice('s3', 's4')
      await page.getByRole('article').first().focus()
      await page.keyboard.press('a')
      expect(await page.getByRole('article').count()).toBe(2)
      await page.getByLabel('Keyboard shortcuts').check()
      await page.getByRole('article').first().focus()
      await page.keyboard.press('j')
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Pay 5 €')
      await page.keyboard.press('a')
      await expect.poll(() => payments).toEqual([5])
      await page.getByRole('article').nth(1).waitFor({ state: 'detached' })
      await page.getByRole('textbox', { name: 'Reason (optional)' }).fill('a sad day')
      expect(payments).toEqual([5])
      await page.getByRole('article').first().focus()
      await page.keyboard.press('d')
      await page.getByText('No pending approvals').waitFor()
      expect(payments).toEqual([5])
    })
  })

  test('a question for data is answered with its form', async () => {
    const answers: unknown[] = []
    const schema = {
      type: 'object',
      properties: { seats: { type: 'integer', title: 'Seats' }, day: { type: 'string', title: 'Day' } },
      required: ['seats'],
    }
    const book = defineTool({
      description: 'Books seats.',
      input: z.object({}),
      effect: 'write',
      async execute(_, { answer }) {
        if (!answer) throw new PersonNeeded({ text: 'How many seats?', schema })
        answers.push(answer.data)
        return { booked: true }
      },
    })
    const plugin = definePlugin({
      name: 'bus',
      version: '0.1.0',
      core: '^0.1.0',
      manifest: { title: 'Bus', summary: 'Books seats.', whenToUse: ['someone travels'], load: 'always' },
      setup: () => ({ tools: { book: book as Tool } }),
    })
    const model = scriptedModel([{ tool: 'book', input: {}, id: 'b1' }, 'booked'])
    const oracle = await startOracle({ plugins: [plugin], model })
    const { page, audit } = await open(oracle, { path: '/users' })
    await page.getByText('No pending approvals').waitFor()
    await sendText(page, oracle, 's1', 'book')
    await page.reload()
    const send = page.getByRole('button', { name: 'Send the answer' })
    await send.waitFor()
    expect(await send.isDisabled()).toBe(true)
    await page.getByRole('textbox', { name: 'Seats' }).fill('3')
    await audit()
    await send.click()
    await page.getByText('No pending approvals').waitFor()
    await expect.poll(() => answers).toEqual([{ seats: 3 }])
  })

  test('the user deletes a fact, links a phone, and reads why a foreign delegation is rejected', {
    tags: 'long',
  }, async () => {
    const oracle = await startOracle({
      plugins: [memory(), sms()],
      env: { MEMORY_MCP_URL: 'embedded:', SMS_PROVIDER: 'embedded:', ORACLE_ACCESS: 'delegated' },
      model: scriptedModel([{ tool: 'remember', input: { text: hostile }, id: 'r1' }, 'noted']),
    })
    const { page, audit, picture } = await open(oracle, { path: '/users/mine' })
    await page.getByText('No facts yet').waitFor()
    await sendText(page, oracle, 's1', 'remember this')
    await page.reload()
    const facts = page.getByRole('region', { name: 'Memory: list' })
    await facts.getByText('onerror').waitFor()
    await audit()
    await picture('users-mine-facts')
    await facts.getByRole('button', { name: /^Forget: / }).click()
    await page.getByText('No facts yet').waitFor()

    const phones = page.getByRole('region', { name: 'Linked phones' })
    await phones.getByLabel('Phone number').fill('+260971234567')
    await phones.getByRole('button', { name: 'Send a code' }).click()
    await phones.getByLabel('Code', { exact: true }).waitFor()
    const codeIn = async () => {
      const { messages } = await (await oracle.operator('/sms/outbox')).json()
      return /\d{6}/.exec(messages[0]?.text ?? '')?.[0]
    }
    await expect.poll(codeIn).toBeDefined()
    await phones.getByLabel('Code', { exact: true }).fill((await codeIn()) ?? '')
    await phones.getByRole('button', { name: 'Link the phone' }).click()
    await phones.getByText('+26097•••4567').waitFor()

    const { did } = await (await asUser(page, oracle, '/me')).json()
    const key = createSigningKey()
    const capabilities = [{ resource: 'shop:one', ability: 'shop/read' }]
    const foreign = await mintDelegation({ key, audience: oracle.app.identity.did ?? '', capabilities })
    expect(key.did).not.toBe(did)
    const delegations = page.getByRole('region', { name: 'Delegations to the oracle' })
    await delegations.getByLabel('Delegation').fill('long'.repeat(500))
    await delegations.getByRole('button', { name: 'Show as QR code' }).click()
    await delegations.getByText('This delegation is too long for a QR code').waitFor()
    await delegations.getByLabel('Delegation').fill(foreign)
    await delegations.getByRole('img', { name: 'QR code with the delegation' }).waitFor()
    await audit()
    await picture('users-mine-delegation-qr')
    await delegations.getByRole('button', { name: 'Store' }).click()
    await delegations.getByRole('alert').waitFor()
  })

  describe('own data', () => {
    const mine = share(async () => {
      const oracle = await startOracle({
        plugins: [memory(), userPreferences(), sms()],
        env: {
          MEMORY_MCP_URL: 'embedded:',
          SMS_PROVIDER: 'embedded:',
          TOKEN_BUDGET_DID_PER_DAY: '5000',
          RATE_LIMIT_DID_PER_MINUTE: '600',
        },
      })
      return { ...(await open(oracle, { path: '/users/mine' })), oracle }
    })

    const otherUri = 'https://other.example/callback'

    /** Signs the user of the tabs in to another application, which chose its name. */
    const signInOther = async (oracle: ConsoleOracle, name: string) => {
      const post = (path: string, body: object, cookie = '') =>
        fetch(oracle.url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', cookie },
          body: JSON.stringify(body),
        })
      const client = await (await post('/oauth/register', { client_name: name, redirect_uris: [otherUri] })).json()
      const query = new URLSearchParams({
        client_id: client.client_id,
        redirect_uri: otherUri,
        response_type: 'code',
        code_challenge: 'c'.repeat(43),
        code_challenge_method: 'S256',
        scope: 'chat/*',
      })
      const begun = await fetch(`${oracle.url}/oauth/authorize?${query}`, { redirect: 'manual' })
      const cookie = begun.headers.getSetCookie().map(one => one.split(';')[0])
      const path = `${new URL(begun.headers.get('location') ?? '').pathname}/code`
      const signedIn = await post(path, { code: await oracle.code(['chat/*']), scopes: ['chat/*'] }, cookie.join('; '))
      expect(signedIn.status).toBe(200)
    }

    test('the user changes their preferences, and sees usage, limits and applications', async () => {
      const { page, visit, oracle, faults, auditEverywhere } = mine()
      await visit('/users/mine')
      await page.getByText('of 5,000 tokens').waitFor()
      await page.getByText(/of 600 requests left this minute/).waitFor()
      await page.getByLabel('Name', { exact: true }).fill(hostile.slice(0, 60))
      await page.getByLabel('Time zone').fill('Africa/Lusaka')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('The preferences were saved.').waitFor()
      expect(await (await asUser(page, oracle, '/me/preferences')).json()).toMatchObject({ timeZone: 'Africa/Lusaka' })
      await page.getByLabel('Time zone').fill('Moon/Crater')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('alert').filter({ hasText: 'does not match' }).waitFor()
      expect(faults.splice(0)).toEqual([expect.stringContaining('status of 400')])
      await page.getByText('No facts yet').waitFor()
      await signInOther(oracle, 'Your bank')
      await page.reload()
      const signIns = page.getByRole('region', { name: 'Sign-ins of applications', exact: true })
      await signIns.getByText('Console', { exact: true }).waitFor()
      await signIns.getByText(otherUri, { exact: true }).waitFor()
      await signIns.getByText('Name not verified: Your bank').waitFor()
      await auditEverywhere('users-mine', () => signIns.scrollIntoViewIfNeeded())
    })

    test('own data in Swahili fits a narrow screen', { tags: 'long' }, async () => {
      const { page, visit, speak, audit } = mine()
      await speak('sw')
      await visit('/users/mine')
      await page.setViewportSize({ width: 360, height: 800 })
      await page.getByRole('heading', { level: 1 }).waitFor()
      await audit()
      await speak('en')
    })

    test('the user exports their data as a file, and erases it after typing the confirmation', async () => {
      const { page, visit, oracle } = mine()
      await visit('/users/mine')
      await sendText(page, oracle, 's1', 'I grow maize')
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export as a file' }).click()
      expect((await download).suggestedFilename()).toBe('my-data.json')
      await page.getByRole('button', { name: 'Erase permanently' }).click()
      const dialog = page.getByRole('dialog')
      expect(await dialog.getByRole('button', { name: 'Erase permanently' }).isDisabled()).toBe(true)
      await dialog.getByRole('textbox').fill('erase my data')
      await dialog.getByRole('button', { name: 'Erase permanently' }).click()
      await page.getByRole('heading', { name: 'Sign in to Field Oracle' }).waitFor()
      expect((await (await oracle.operator('/operator/people')).json()).people).toEqual([])
    })
  })

  test('a user allows API keys when they sign in, creates one, and revokes it', { tags: 'long' }, async () => {
    const oracle = await startOracle()
    const { page, audit, picture } = await open(oracle, { path: '/users/mine', scopes: ['*'] })
    const keys = page.getByRole('region', { name: 'API keys', exact: true })
    await keys.getByText('This sign-in cannot create API keys.').waitFor()
    await audit()
    await keys.getByRole('button', { name: 'Sign in again' }).click()
    const consent = page.getByRole('checkbox', { name: /Create API keys/ })
    await consent.waitFor()
    expect(await consent.isChecked()).toBe(false)
    await consent.check()
    await page.getByRole('button', { name: "Allow with this browser's key" }).click()
    await keys.getByLabel('Name').fill('script')
    expect(await keys.getByLabel('Acts as (optional)').count()).toBe(0)
    await keys.getByRole('button', { name: 'Create an API key' }).click()
    const secret = (await keys.getByText(/^sibyl_key_/).textContent()) ?? ''
    await keys.getByRole('img', { name: /QR code/ }).waitFor()
    await audit()
    await picture('users-own-keys')
    const read = (path: string) => fetch(oracle.url + path, { headers: { authorization: `Bearer ${secret}` } })
    const me = await (await read('/me')).json()
    expect(me).toMatchObject({
      scopes: ['chat/*', 'session/*'],
      did: (await (await asUser(page, oracle, '/me')).json()).did,
    })
    await keys
      .getByRole('row', { name: /script/ })
      .getByRole('button', { name: 'Revoke' })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await expect.poll(async () => (await read('/sessions')).status).toBe(401)
  })

  test('a sign-in as operator with a DID without operator rights says so', { tags: 'long' }, async () => {
    // As in a clone, in which `npx sibyl` resolves to nothing.
    vi.stubEnv('npm_lifecycle_event', 'start').stubEnv('npm_lifecycle_script', 'node scripts/launch.mjs start')
    onTestFinished(() => void vi.unstubAllEnvs())
    const oracle = await startOracle()
    const { page, audit, picture } = await open(oracle, { path: '/users', scopes: 'signed out', width: 360 })
    await page.getByRole('button', { name: 'Sign in as operator' }).click()
    await page.getByRole('button', { name: "Allow with this browser's key" }).click()
    const notice = page.getByRole('status').filter({ hasText: 'your DID has no operator rights' })
    await page.getByRole('heading', { name: 'Approvals' }).waitFor()
    await notice.getByText(/npx -y pnpm@12 sibyl token grant did:key:z6Mk\w+ --ability operator\/read/).waitFor()
    await audit()
    await picture('users-not-operator')
    await notice.getByRole('button', { name: 'Close' }).click()
    await notice.waitFor({ state: 'detached' })
    await page.goto(`${oracle.url}/console`)
    await page.getByText('npx -y pnpm@12 sibyl plugin new tides', { exact: true }).waitFor()
    expect(await page.getByText('npx sibyl').count()).toBe(0)
  })

  describe('people and access', () => {
    const operated = share(async () => {
      const oracle = await startOracle({
        plugins: [memory(), userPreferences()],
        env: { TOKEN_BUDGET_DID_PER_DAY: '5000' },
      })
      return { oracle, ...(await open(oracle)) }
    })

    /** People who used the oracle, each with a session. */
    const populate = async (oracle: ConsoleOracle, names: readonly string[]) => {
      const dids: string[] = []
      for (const name of names) {
        const person = testActor(oracle.app)
        await readStream(await person.request('/chat', { json: { id: 's1', message: hostile } }))
        const headers = { 'content-type': 'application/json' }
        await person.request('/me/preferences', { method: 'PATCH', headers, body: JSON.stringify({ name }) })
        dids.push(person.did)
      }
      return dids
    }

    test('the operator finds a person by name, sees their usage and no contents, and erases them', async () => {
      const { oracle, page, visit, auditEverywhere } = operated()
      const names = [
        hostile.slice(0, 60),
        `مریم ${'ي'.repeat(55)}`,
        `Zo${'\u0308'.repeat(50)}e`,
        'Ada Öberg',
        'Ada Öberg',
      ]
      const [did = '', twin = ''] = (await populate(oracle, names)).toReversed()
      await visit('/users/people')
      await page.getByRole('row').nth(5).waitFor()
      await page.getByRole('link', { name: 'مریم' }).waitFor()
      expect(await page.title()).not.toContain('owned')
      await auditEverywhere('users-people')
      await page.getByLabel('Find a person').fill(did.slice(0, 20))
      await page.getByText('No user found').waitFor()
      const urls: string[] = []
      page.on('request', request => urls.push(request.url()))
      const sent = page.waitForResponse('**/operator/people/find')
      await page.getByLabel('Find a person').fill('+260971234567')
      await sent
      expect(urls.filter(url => url.includes('260971234567'))).toEqual([])
      await page.getByLabel('Find a person').fill('oberg ada')
      await page.getByRole('link', { name: `Ada Öberg …${twin.slice(-6)}` }).waitFor()
      await page.getByRole('link', { name: `Ada Öberg …${did.slice(-6)}` }).click()
      await page.getByRole('heading', { name: 'Ada Öberg', exact: true }).waitFor()
      await page.getByText('chosen by the person').waitFor()
      await page.getByText('Tokens by day').waitFor()
      const turns = page.getByRole('region', { name: 'Turns: list' })
      expect(await turns.getByRole('row').nth(1).textContent()).toContain('Done')
      await page.getByText('No grants.').waitFor()
      await page.setViewportSize({ width: 1280, height: 1700 })
      await auditEverywhere('users-person')
      const lost = await oracle.operator('/api-keys', { json: { name: 'lost phone', did, scopes: ['chat/*'] } })
      expect(lost.status).toBe(201)
      await page.getByRole('button', { name: 'End all access' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'End all access' }).click()
      await page.getByText('Ended: 0 sign-ins, 1 API keys, 0 grants.').waitFor()
      const { keys } = await (await oracle.operator(`/api-keys?did=${encodeURIComponent(did)}`)).json()
      expect(keys).toEqual([])
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Erase permanently' }).click()
      await page.getByRole('dialog').getByRole('textbox').fill(did.slice(-8))
      await page.getByRole('dialog').getByRole('button', { name: 'Erase permanently' }).click()
      await page.getByRole('heading', { name: 'People' }).waitFor()
      const left = (await (await oracle.operator('/operator/people')).json()).people as { readonly did: string }[]
      expect(left.map(person => person.did)).not.toContain(did)
    })

    test('the operator creates an API key and a one-time code, each with a QR code, and revokes the key', async () => {
      const { oracle, page, visit, auditEverywhere } = operated()
      await visit('/users/access')
      const codes = page.getByRole('region', { name: 'One-time codes' })
      await codes.getByLabel('User').fill('Mutale')
      await codes.getByRole('button', { name: 'Create a code' }).click()
      await codes.getByRole('img', { name: 'QR code that opens the console signed in' }).waitFor()
      const keys = page.getByRole('region', { name: 'API keys' }).first()
      await keys.getByLabel('Name').fill('shop')
      await keys.getByRole('button', { name: 'Create an API key' }).click()
      const secret = (await keys.getByText(/^sibyl_key_/).textContent()) ?? ''
      await keys.getByRole('img', { name: /QR code/ }).waitFor()
      await auditEverywhere('users-access')
      const read = () => fetch(`${oracle.url}/sessions`, { headers: { authorization: `Bearer ${secret}` } })
      expect((await read()).status).toBe(200)
      await keys.getByRole('row', { name: /shop/ }).getByRole('button', { name: 'Revoke' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await expect.poll(async () => (await read()).status).toBe(401)
      await page.getByText('There are no API keys.').waitFor()
    })

    test('a copied command quotes the DID of a link', { tags: 'long' }, async () => {
      const { page, visit } = operated()
      await visit(`/users/people/${encodeURIComponent('did:x:a;id')}`)
      await page.getByText("npx sibyl people export 'did:x:a;id'", { exact: true }).waitFor()
    })

    test('a user without operator abilities sees neither people nor access', { tags: 'long' }, async () => {
      const { page, audit } = await open(operated().oracle, { path: '/users/people', scopes: ['chat/*', 'session/*'] })
      await page.getByText('You are not allowed to see this').waitFor()
      expect(await page.getByRole('link', { name: 'Access', exact: true }).count()).toBe(0)
      await audit()
    })
  })
})
