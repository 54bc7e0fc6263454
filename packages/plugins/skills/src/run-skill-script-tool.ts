import { defineTool, ToolFailure, type Turn, untrustedContent } from '@sibyl/plugin'
import type { codeRunner, ServiceOf } from '@sibyl/protocol'
import { z } from 'zod'
import { readSkillFile } from './skill-file.ts'
import { findSkill, type SkillStore } from './skill-store.ts'

type CodeOutcome = Awaited<ReturnType<ServiceOf<typeof codeRunner>['run']>>

/** Languages of scripts, by file extension. */
const languages: ReadonlyMap<string, string> = new Map([
  ['js', 'javascript'],
  ['mjs', 'javascript'],
  ['cjs', 'javascript'],
  ['ts', 'typescript'],
  ['py', 'python'],
  ['sh', 'bash'],
  ['rb', 'ruby'],
])

/** Maximum length of output for the model, in characters. */
const maxOutput = 20_000

export const runSkillScriptTool = (store: SkillStore, runner: ServiceOf<typeof codeRunner> | undefined) =>
  defineTool({
    description: 'Runs a script of a skill in the sandbox, with the given files.',
    effect: 'read',
    input: z.object({
      skill: z.string().max(100),
      path: z.string().max(1_000),
      files: z
        .array(z.object({ name: z.string().max(200), text: z.string() }))
        .max(10)
        .optional(),
    }),
    async execute({ skill: wanted, path: wantedPath, files = [] }, { turn, signal }) {
      const skill = findSkill(wanted, await store.read())
      const { path, text } = await readSkillFile(skill, wantedPath)
      const usable = loadedRunner(runner, turn)
      const language = languages.get(/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '')
      if (language === undefined || text === undefined) throw new ToolFailure(`'${path}' is not a script.`)
      if (!usable.languages().includes(language)) {
        const known = usable.languages().join(', ') || 'no language at the moment'
        throw new ToolFailure(`'${path}' is ${language}, and the sandbox runs ${known}.`)
      }
      const outcome = await usable.run({ language, code: text, files, actor: turn.actor, signal })
      return { ok: outcome.ok, outcome: untrustedContent(`${skill.name}/${path}`, worded(outcome)) }
    },
  })

/** Returns the code runner, if this conversation may use it. Throws `ToolFailure` with the remedy. */
const loadedRunner = (
  runner: ServiceOf<typeof codeRunner> | undefined,
  { session }: Turn,
): ServiceOf<typeof codeRunner> => {
  if (!runner) {
    throw new ToolFailure(
      'Scripts run in the sandbox, which this oracle does not have because SANDBOX_MCP_URL is not set. Continue without the script.',
    )
  }
  if (!session.loadedPlugins.includes('sandbox')) {
    throw new ToolFailure("Scripts run in the sandbox. Call load_capability with 'sandbox', then run this again.")
  }
  return runner
}

const worded = ({ output, result, error, files }: CodeOutcome): string => {
  const written = files.map(({ name, text, encoding }) => `--- ${name}\n${encoding === 'utf8' ? text : '(not text)'}`)
  const parts = [error === undefined ? undefined : `Error: ${error}`, output, result, ...written]
  const text = parts.filter(part => part !== undefined && part !== '' && part !== 'undefined').join('\n')
  return text.length > maxOutput ? `${text.slice(0, maxOutput)}\n(truncated here)` : text
}
