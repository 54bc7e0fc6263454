import { defineTool, ToolFailure, type Turn, untrustedContent } from '@sibyl/plugin'
import type { CodeOutcome, CodeRunner } from '@sibyl/protocol'
import { z } from 'zod'
import { readSkillFile } from './skill-file.ts'
import { findSkill, type SkillShelf } from './skill-shelf.ts'

/** What a script may be written in, by the end of its name. */
const languages: ReadonlyMap<string, string> = new Map([
  ['js', 'javascript'],
  ['mjs', 'javascript'],
  ['cjs', 'javascript'],
  ['ts', 'typescript'],
  ['py', 'python'],
  ['sh', 'bash'],
  ['rb', 'ruby'],
])

/** Longest output that the model is shown, in characters. */
const mostOutput = 20_000

/** The tool `run_skill_script`. */
export const runSkillScriptTool = (shelf: SkillShelf, runner: CodeRunner | undefined) =>
  defineTool({
    description: 'Runs a script of a skill in the sandbox, with files that it finds by name.',
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
      const skill = findSkill(wanted, await shelf.read())
      const { path, text } = await readSkillFile(skill, wantedPath)
      const usable = loadedRunner(runner, turn)
      const language = languages.get(/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '')
      if (language === undefined || text === undefined) throw new ToolFailure(`'${path}' is no script.`)
      if (!usable.languages().includes(language)) {
        const known = usable.languages().join(', ') || 'nothing just now'
        throw new ToolFailure(`'${path}' is ${language}, and the sandbox runs ${known}.`)
      }
      const outcome = await usable.run({ language, code: text, files, actor: turn.actor, signal })
      return { ok: outcome.ok, outcome: untrustedContent(`${skill.name}/${path}`, worded(outcome)) }
    },
  })

/** What runs scripts, where this conversation may use it. Throws `ToolFailure` with what to do. */
const loadedRunner = (runner: CodeRunner | undefined, { session }: Turn): CodeRunner => {
  if (!runner) {
    throw new ToolFailure('Scripts run in the sandbox, which this oracle does not have (SANDBOX_MCP_URL is not set).')
  }
  if (!session.loadedPlugins.includes('sandbox')) {
    throw new ToolFailure("Scripts run in the sandbox: call load_capability with 'sandbox', then run this again.")
  }
  return runner
}

const worded = ({ output, result, error, files }: CodeOutcome): string => {
  const written = files.map(({ name, text, encoding }) => `--- ${name}\n${encoding === 'utf8' ? text : '(no text)'}`)
  const parts = [error === undefined ? undefined : `Error: ${error}`, output, result, ...written]
  const text = parts.filter(part => part !== undefined && part !== '' && part !== 'undefined').join('\n')
  return text.length > mostOutput ? `${text.slice(0, mostOutput)}\n(cut here)` : text
}
