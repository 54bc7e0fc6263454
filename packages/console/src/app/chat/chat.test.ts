import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePlugin, defineTool, type OraclePlugin, PersonNeeded, type Tool } from '@sibyl/plugin'
import { files } from '@sibyl/plugin-files'
import { type ScriptedCall, type ScriptedStep, scriptedModel, startFakeOpenAi } from '@sibyl/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type ConsoleTab, chromiumPath, useConsole } from '../../testing/console.test.support.ts'

const tool = (description: string, more: Partial<Tool>): Tool =>
  ({
    ...defineTool({
      description,
      input: z.object({ place: z.string().default('Lusaka') }),
      effect: 'read',
      execute: async ({ place }) => ({ place, celsius: 24 }),
    }),
    ...more,
  }) as Tool

/** A plugin with a tool that reads, one that needs an approval, and one that asks a question. */
const plugin = (): OraclePlugin =>
  definePlugin({
    name: 'desk',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Desk', summary: 'Reads and books.', whenToUse: ['someone books'], load: 'always' },
    setup: () => ({
      tools: {
        weather: tool('Reads the weather.', {}),
        book: tool('Books a place.', { approval: 'user', execute: async () => 'booked' }),
        visit: tool('Plans a visit.', {
          execute: async (_, { answer }) => {
            if (answer?.accepted) return { visit: answer.data ?? null }
            throw new PersonNeeded({
              text: 'When do you visit?',
              schema: { type: 'object', required: ['day'], properties: { day: { type: 'string', title: 'Day' } } },
            })
          },
        }),
      },
    }),
  })

const send = async ({ page }: ConsoleTab, text: string) => {
  await page.getByRole('textbox', { name: 'Write a message' }).fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
  await page.getByRole('textbox', { name: 'Write a message' }).press('Enter')
}

/** Returns whether a box that is lower than its content, and not wider, can be scrolled to the end of it. */
const scrollsToItsEnd = (content: Element): boolean => {
  const box = content.closest('[tabindex="0"]')
  if (!box || box.scrollHeight <= box.clientHeight || box.scrollWidth > box.clientWidth) return false
  box.scrollTop = box.scrollHeight
  return content.getBoundingClientRect().bottom <= box.getBoundingClientRect().bottom + 1
}

const never = new Promise<never>(() => {})

describe.skipIf(chromiumPath === undefined)('the chat of the console', () => {
  const { startOracle, open, share } = useConsole()

  describe('of one tab', () => {
    const shared = share(async () => {
      const script: ScriptedStep[] = []
      const play = (call: ScriptedCall) => {
        const step = script.shift() ?? 'The script has no further step.'
        return typeof step === 'function' ? step(call) : step
      }
      const oracle = await startOracle({ plugins: [plugin()], model: scriptedModel(Array(60).fill(play)) })
      return { script, oracle, ...(await open(oracle, { path: '/chat' })) }
    })

    /** Shows a new conversation, whose answers follow a script. */
    const begin = async (steps: readonly ScriptedStep[]) => {
      const tab = shared()
      tab.script.splice(0, Number.POSITIVE_INFINITY, ...steps)
      await tab.visit('/chat')
      return tab
    }

    test('answers with Markdown, shows a tool call, what the model saw and the timings', async () => {
      const markdown = '**Lusaka** is warm:\n\n| Day | °C |\n|---|---|\n| Monday | 24 |\n\n- sunny\n- dry'
      const tab = await begin([{ tool: 'weather', input: { place: 'Lusaka' }, id: 'c1' }, markdown, 'Again.'])
      const { page, audit, picture } = tab
      await page.getByText('What can this oracle do?').waitFor()
      await audit()
      await picture('chat-empty')
      await send(tab, 'How warm is it?')
      await page.getByRole('cell', { name: 'Monday' }).waitFor()
      await page.getByRole('button', { name: /weather/ }).click()
      await page.getByText('"celsius": 24').waitFor()
      await page.getByRole('button', { name: 'Show what the model saw' }).click()
      await page.getByText('tools and notes of the oracle are recomputed').waitFor()
      await page.getByText('You are Field Oracle.').waitFor()
      await audit()
      await picture('chat-prompt')
      await page.getByRole('tab', { name: 'Timing' }).click()
      await page.getByText('Tool weather').waitFor()
      await audit()
      await picture('chat-timing')
      await page.getByRole('tab', { name: 'Code' }).click()
      await page.getByText('SibylChatTransport').first().waitFor()
      await audit()
      const address = page.url()
      await page.reload()
      await page.getByRole('cell', { name: 'Monday' }).waitFor()
      expect(page.url()).toBe(address)
      // A view that is opened directly has its own styles, in whichever order files load.
      const current = page.locator('button[aria-current="page"]', { hasText: 'How warm is it?' })
      expect(await current.evaluate(element => getComputedStyle(element).paddingInlineStart)).toBe('8px')
      await page.getByRole('button', { name: 'Answer again' }).click()
      await page.getByText('Again.').waitFor()
      expect(await page.getByRole('cell', { name: 'Monday' }).count()).toBe(0)
    })

    test('an edited message replaces what followed it', { tags: 'long' }, async () => {
      const tab = await begin(['First.', 'Second.'])
      const { page } = tab
      await send(tab, 'helo')
      await page.getByText('First.').waitFor()
      await page.getByRole('button', { name: 'Edit message' }).click()
      await page.getByRole('textbox', { name: 'Edit message' }).fill('hello')
      await page.getByRole('button', { name: 'Send', exact: true }).first().click()
      await page.getByText('Second.').waitFor()
      expect(await page.getByText('First.').count()).toBe(0)
      expect(await page.getByRole('article', { name: 'Your message' }).textContent()).toContain('hello')
    })

    test('asks for approvals and answers where the call is, and remembers one for the conversation', async () => {
      const tab = await begin([
        { tool: 'book', id: 'c1' },
        'Booked.',
        { tool: 'book', id: 'c2' },
        'Booked again.',
        { tool: 'visit', id: 'c3' },
        'See you.',
      ])
      const { page, audit, picture } = tab
      await send(tab, 'Book it')
      await page.getByRole('group', { name: 'Approval of book' }).waitFor()
      await audit()
      await picture('chat-approval')
      await page.getByLabel('Reason (optional)').fill('It is cheap')
      await page.getByRole('button', { name: 'Approve for this conversation' }).click()
      await page.getByText('Booked.', { exact: true }).waitFor()
      await send(tab, 'Once more')
      await page.getByText('Booked again.').waitFor()
      await send(tab, 'Plan a visit')
      await page.getByText('When do you visit?').waitFor()
      expect(await page.getByRole('button', { name: 'Send the answer' }).isDisabled()).toBe(true)
      await page.getByLabel('Day').fill('Monday')
      await page.getByRole('button', { name: 'Send the answer' }).click()
      await page.getByText('See you.').waitFor()
      await page.getByRole('button', { name: /visit/ }).click()
      await page.getByText('"day": "Monday"').waitFor()
      await audit()
    })

    test('shows every argument of a call before a yes, however long, also after a reload', async () => {
      const place = `Lusaka\u202e ${'x'.repeat(30_000)} end`
      const tab = await begin([{ tool: 'book', input: { place }, id: 'c1' }, 'Booked.'])
      const { page } = tab
      await send(tab, 'Book it')
      for (let reads = 0; reads < 2; reads += 1) {
        if (reads > 0) await page.reload()
        const form = page.getByRole('group', { name: 'Approval of book' })
        const shown = form.locator('pre')
        await shown.waitFor()
        await form.getByText('Run book').waitFor()
        expect(await shown.textContent()).toBe(`place: "${place.replace('\u202e', '\\u202e')}"`)
        expect(await shown.evaluate(scrollsToItsEnd)).toBe(true)
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      }
      await page.getByRole('button', { name: 'Approve once' }).click()
      await page.getByText('Booked.', { exact: true }).waitFor()
    })

    test('stops an answer, and follows a running one after a reload', async () => {
      const gate = Promise.withResolvers<void>()
      const tab = await begin([
        ['One ', { wait: never }],
        ['Two ', { wait: gate.promise }, 'three.'],
      ])
      const { page } = tab
      await send(tab, 'first')
      await page.getByText('One', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Stop the answer' }).click()
      await page.getByText('Stopped').waitFor()
      await page.getByText(/[1-9]\d* tokens/).waitFor()
      await send(tab, 'second')
      await page.getByText('Two').waitFor()
      await page.reload()
      await page.getByText('Two').waitFor()
      gate.resolve()
      await page.getByText('three.').waitFor()
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    })

    test('shows after a reload why an answer failed, and tries again', { tags: 'long' }, async () => {
      const tab = await begin([{ error: new Error('x') }, 'Better.'])
      const { page, audit, picture } = tab
      await send(tab, 'first')
      await page.getByRole('alert').getByText('model_failed').or(page.getByText('turn_failed')).waitFor()
      await page.reload()
      await page.getByText('The message was not answered').waitFor()
      expect(await page.getByRole('textbox', { name: 'Write a message' }).inputValue()).toBe('')
      await audit()
      await picture('chat-failed')
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('Better.').waitFor()
      expect(await page.getByText('The message was not answered').count()).toBe(0)
    })

    test('a second tab follows an answer of the first one, and stops it', { tags: 'long' }, async () => {
      const { oracle, ...first } = await begin([['One ', { wait: never }], 'Mine.'])
      await send(first, 'first')
      await first.page.getByText('One', { exact: true }).waitFor()
      const session = first.page.url().split('/').at(-1)
      const second = await open(oracle, { path: `/chat/${session}`, beside: first.context })
      await second.page.getByText('One', { exact: true }).waitFor()
      await second.page.getByRole('button', { name: 'Stop the answer' }).click()
      await first.page.getByText('Stopped').waitFor()
      await send(second, 'mine')
      await second.page.getByText('Mine.').waitFor()
    })

    test('a message while another device reads an answer gets a clear reason, and the way on', {
      tags: 'long',
    }, async () => {
      const { oracle, ...tab } = await begin(['One.', ['Two ', { wait: never }], 'Three.'])
      const { page, audit, picture, faults } = tab
      await send(tab, 'first')
      await page.getByText('One.', { exact: true }).waitFor()
      const session = page.url().split('/').at(-1)
      const token = await page.evaluate(() => JSON.parse(localStorage.getItem('sibyl-console') ?? '{}').access)
      const elsewhere = fetch(`${oracle.url}/chat`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ id: session, message: 'from elsewhere' }),
      })
      const reader = (await elsewhere).body?.getReader()
      await reader?.read()
      await send(tab, 'second')
      await page.getByText('This conversation is active in another tab or device').waitFor()
      faults.splice(0)
      await audit()
      await picture('chat-turn-running')
      await page.getByRole('button', { name: 'Stop it' }).click()
      await page.getByText('from elsewhere').waitFor()
      await send(tab, 'second')
      await page.getByText('Three.').waitFor()
      await reader?.cancel()
    })

    test('shows hostile Markdown, HTML, links and names as text', async () => {
      const hostile = [
        '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>',
        '[click](javascript:window.hacked=1)',
        '![pixel](https://tracker.example/pixel.gif)',
        '<svg onload="window.hacked=1"></svg>',
      ].join('\n\n')
      const tab = await begin([hostile])
      const { page, audit } = tab
      await send(tab, '<b onmouseover="window.hacked=1">bold</b>')
      await page.getByText('click', { exact: true }).waitFor()
      expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
      const answer = page.getByRole('article', { name: 'Answer' })
      expect(await answer.locator('img, script, svg[onload], a[href^="javascript"]').count()).toBe(0)
      expect(await page.getByText('<b onmouseover=').count()).toBeGreaterThan(0)
      await audit()
    })

    test('lists, finds and deletes conversations', { tags: 'long' }, async () => {
      const tab = await begin(['One.', 'Two.'])
      const { page, audit, picture } = tab
      await send(tab, 'About maize')
      await page.getByText('One.', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'New', exact: true }).click()
      await page.getByText('What can this oracle do?').waitFor()
      await send(tab, 'About goats')
      await page.getByText('Two.', { exact: true }).waitFor()
      await page.getByRole('textbox', { name: 'Search conversations' }).fill('MAIZE')
      const list = page.getByRole('complementary', { name: 'Conversations' })
      await list
        .getByRole('button', { name: /About maize/ })
        .first()
        .waitFor()
      await expect.poll(() => list.getByText('About goats').count()).toBe(0)
      await list.getByRole('button', { name: 'Actions for About maize' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByText('Delete this conversation?').waitFor()
      await audit()
      await picture('chat-delete')
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByText('Nothing found').waitFor()
      await audit()
    })

    test('compares instructions side by side, for the operator alone', { tags: 'long' }, async () => {
      const { oracle, ...tab } = await begin(['**Long** answer.', { error: new Error('x') }])
      const { page, audit, picture } = tab
      await page.getByRole('button', { name: 'Compare' }).click()
      await page.getByLabel('Message', { exact: true }).fill('What is maize?')
      await page.getByLabel('System prompt').last().fill('You are terse.')
      await audit()
      await page.getByRole('button', { name: 'Compare' }).click()
      await page.getByText('Long', { exact: true }).waitFor()
      expect(await page.getByRole('alert').count()).toBe(1)
      await audit()
      await picture('compare')
      const user = await open(oracle, { path: '/compare', scopes: ['chat/*', 'session/*'] })
      await user.page.getByText('You are not allowed to see this').waitFor()
    })

    test('works at 360 px, in the dark, in French and Swahili, and by keyboard', { tags: 'long' }, async () => {
      const { oracle } = await begin([{ tool: 'weather', id: 'c1' }, 'Il fait chaud.'])
      const small = await open(oracle, { path: '/chat', width: 360, height: 640, colorScheme: 'dark', language: 'fr' })
      await small.page.getByRole('textbox', { name: 'Écrivez un message' }).focus()
      await small.page.keyboard.type('Quel temps fait-il ?')
      await small.page.keyboard.press('Enter')
      await small.page.getByText('Il fait chaud.').waitFor()
      await small.audit()
      await small.picture('chat-360-dark')
      await small.page.getByRole('button', { name: 'Détails' }).click()
      await small.page.getByText('Recalculé').waitFor()
      await small.audit()
      await small.picture('chat-360-details')
      const { page, speak, audit } = await begin([])
      await speak('sw')
      await page.getByText('Oracle hii inaweza kufanya nini?').waitFor()
      await audit()
      await speak('en')
    })

    test('a sign-in that ends leads to the sign-in, and the message that was not taken is still there', {
      tags: 'long',
    }, async () => {
      const { oracle, ...tab } = await begin(['One.', 'Two.'])
      const { page } = tab
      await send(tab, 'first')
      await page.getByText('One.', { exact: true }).waitFor()
      await page.evaluate(() => {
        const stored = JSON.parse(localStorage.getItem('sibyl-console') ?? '{}')
        localStorage.setItem('sibyl-console', JSON.stringify({ ...stored, access: 'gone', refresh: 'gone' }))
      })
      await send(tab, 'second')
      await page.getByRole('heading', { name: 'Sign in to Field Oracle' }).waitFor()
      const session = page.url()
      await page.goto('about:blank')
      await page.goto(`${session}#code=${await oracle.code()}`)
      await page.getByRole('button', { name: 'Sign in with the code' }).click()
      await page.getByText('One.', { exact: true }).waitFor()
      expect(await page.getByRole('textbox', { name: 'Write a message' }).inputValue()).toBe('second')
    })
  })

  test('sends files, and shows pictures and hostile names', { tags: 'long' }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sibyl-console-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const oracle = await startOracle({
      plugins: [files()],
      model: scriptedModel(['Seen.']),
      env: { FILES_DIR: folder },
    })
    const tab = await open(oracle, { path: '/chat' })
    const { page, audit, picture } = tab
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const name = '<img src=x onerror=alert(1)>.svg'
    await page.locator('input[type=file]').setInputFiles([
      { name: 'pixel.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') },
      { name, mimeType: 'image/svg+xml', buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
    ])
    await page.getByText(name).waitFor()
    await send(tab, 'Look')
    await page.getByText('Seen.').waitFor()
    await page.reload()
    await page.getByRole('img', { name: 'pixel.png' }).waitFor()
    await page.getByText('image/svg+xml').waitFor()
    expect(await page.locator('img').count()).toBe(1)
    await audit()
    await picture('chat-files')
  })

  test('compares two models of a provider', { tags: 'long' }, async () => {
    const answers: Readonly<Record<string, string>> = {
      'maize-large': 'A grass from Mexico.',
      'maize-small': 'A cereal.',
    }
    const provider = await startFakeOpenAi({ replies: ({ body }) => ({ text: answers[String(body.model)] ?? 'none' }) })
    onTestFinished(() => provider.close())
    const oracle = await startOracle({ env: { OPENAI_BASE_URL: provider.url, LLM_MODEL: 'maize-large' } })
    const { page, audit, picture } = await open(oracle, { path: '/compare' })
    await page.getByLabel('Message', { exact: true }).fill('What is maize?')
    await page.getByLabel('Model').last().fill('maize-small')
    await page.getByRole('button', { name: 'Compare' }).click()
    const [first, second] = [1, 2].map(number => page.getByRole('region', { name: `Variant ${number}` }))
    await first?.getByText('A grass from Mexico.').waitFor()
    await first?.getByText(/^maize-large · /).waitFor()
    await second?.getByText('A cereal.').waitFor()
    await second?.getByText(/^maize-small · /).waitFor()
    await audit()
    await picture('compare-models')
  })
})
