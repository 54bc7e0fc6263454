import { definePlugin, defineTool, provide, ToolFailure } from '@sibyl/plugin'
import { asBundled } from '@sibyl/plugin/host'
import { codeRunner, type ServiceOf } from '@sibyl/protocol'
import { type ScriptedStep, scriptedModel, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { goodSkills, skillsFolder } from './corpus.test.support.ts'
import { skills } from './skills.ts'

type CodeOutcome = Awaited<ReturnType<ServiceOf<typeof codeRunner>['run']>>
type CodeRequest = Parameters<ServiceOf<typeof codeRunner>['run']>[0]

/** A sandbox that notes what it is to run. */
const notingSandbox = (run: (request: CodeRequest) => Partial<CodeOutcome>, languages: () => readonly string[]) =>
  asBundled(
    definePlugin({
      name: 'sandbox',
      version: '0.1.0',
      core: '^0.1.0',
      manifest: { title: 'Sandbox', summary: 'Runs code.', whenToUse: ['code is to be run'] },
      setup: () => ({
        tools: {
          run_code: defineTool({
            description: 'Runs code.',
            effect: 'read',
            input: z.object({}),
            execute: async () => ({}),
          }),
        },
        services: [
          provide(codeRunner, {
            languages,
            run: async request => ({ ok: true, output: '', files: [], durationMs: 1, ...run(request) }),
          }),
        ],
      }),
    }),
  )

interface Setting {
  readonly run?: (request: CodeRequest) => Partial<CodeOutcome>
  readonly languages?: readonly string[]
  readonly always?: boolean
}

/** What each of these calls of one turn gave, or the text of its failure. */
const inOneTurn = async (steps: readonly ScriptedStep[], setting?: Setting): Promise<unknown[]> => {
  using folder = skillsFolder({ 'all-members': { ...goodSkills['all-members'], 'scripts/a.constructor': 'x' } })
  const { run = () => ({}), languages = ['javascript'], always = false } = setting ?? {}
  await using oracle = await testApp({
    plugins: setting ? [skills(), notingSandbox(run, () => languages)] : [skills()],
    env: { SKILLS_DIR: folder.path },
    model: scriptedModel([...steps, 'Done.']),
    ...(always ? { manifestOverrides: { sandbox: { load: 'always' } } } : {}),
  })
  const { events, last } = await oracle.chat('Go on')
  expect(last).toMatchObject({ type: 'finish' })
  return events.flatMap(event => {
    if (event.type === 'tool-output-available') return [event.output]
    return event.type === 'tool-output-error' ? [event.errorText] : []
  })
}

const loadSandbox = { tool: 'load_capability', input: { names: ['sandbox'] } }
const runScript = (path: string, files?: readonly { name: string; text: string }[]) => ({
  tool: 'run_skill_script',
  input: { skill: 'all-members', path, ...(files ? { files } : {}) },
})

test('without a sandbox it is rejected with the reason', async () => {
  expect(await inOneTurn([runScript('scripts/check.js')])).toEqual([
    'Scripts run in the sandbox, which this oracle does not have because SANDBOX_MCP_URL is not set. Continue without the script.',
  ])
})

test.each([false, true])('it runs once the sandbox is loaded (always there: %s)', async always => {
  const requests: CodeRequest[] = []
  const run = (request: CodeRequest) => {
    requests.push(request)
    return {
      output: 'checked\n',
      result: '3',
      files: [{ name: 'out.csv', bytes: 3, text: 'a,b', encoding: 'utf8' as const }],
    }
  }
  const files = [{ name: 'readings.csv', text: 'day,kwh' }]
  const [refused, , done] = await inOneTurn(
    [runScript('scripts/check.js', files), loadSandbox, runScript('scripts/check.js', files)],
    { run, always },
  )
  expect(refused).toBe("Scripts run in the sandbox. Call load_capability with 'sandbox', then run this again.")
  expect(done).toEqual({
    ok: true,
    outcome: {
      source: 'all-members/scripts/check.js',
      notice: expect.stringContaining('this is data'),
      text: 'checked\n\n3\n--- out.csv\na,b',
    },
  })
  expect(requests).toEqual([
    {
      language: 'javascript',
      code: 'console.log("checked")\n',
      files,
      actor: expect.objectContaining({ did: expect.stringMatching(/^did:key:/) }),
      signal: expect.any(AbortSignal),
    },
  ])
})

test('a path that is not a script, missing, or in another language is reported', async () => {
  const paths = ['LICENSE.txt', 'assets/dial.png', '../check.js', 'scripts/check.py', 'scripts/a.constructor']
  const results = await inOneTurn([loadSandbox, ...paths.map(path => runScript(path))], {})
  expect(results.slice(1)).toEqual([
    "'LICENSE.txt' is not a script.",
    "'assets/dial.png' is not a script.",
    expect.stringMatching(/^'\.\.\/check\.js' of the skill 'all-members' does not exist\./),
    "'scripts/check.py' is python, and the sandbox runs javascript.",
    "'scripts/a.constructor' is not a script.",
  ])
})

test('while a remote sandbox is unavailable the agent gets the reason', async () => {
  const [, away] = await inOneTurn([loadSandbox, runScript('scripts/check.js')], { languages: [] })
  expect(away).toBe("'scripts/check.js' is javascript, and the sandbox runs no language at the moment.")
})

test('a script that fails, prints too much or cannot be run ends in words', async () => {
  const failing = (): Partial<CodeOutcome> => ({ ok: false, output: 'x'.repeat(30_000), error: 'It took too long.' })
  const [, failed] = await inOneTurn([loadSandbox, runScript('scripts/check.js')], { run: failing })
  expect(failed).toMatchObject({
    ok: false,
    outcome: { text: expect.stringMatching(/^Error: It took too long\.\nx+\n\(truncated here\)$/) },
  })
  const refusing = (): Partial<CodeOutcome> => {
    throw new ToolFailure('Too many programs run just now. Try again in a minute.')
  }
  const [, refused] = await inOneTurn([loadSandbox, runScript('scripts/check.js')], { run: refusing })
  expect(refused).toBe('Too many programs run just now. Try again in a minute.')
})
