import { defineTool, ToolFailure, type Turn } from '@sibyl/plugin'
import { z } from 'zod'
import type { Skill } from './scan-skills.ts'
import { listSkillFiles } from './skill-files.ts'
import { plainName, type SkillStore, unknownSkill } from './skill-store.ts'

/** Maximum number of conversations in the cache. */
const maxSessions = 1_000

/**
 * Skills that were loaded in each conversation, so that they are not sent twice. Stored in memory only: after a restart
 * a skill may be sent again, which is harmless.
 */
class LoadedSkills {
  readonly #sessions = new Map<string, Map<string, string>>()

  /** Returns whether the current version of the skill was loaded in the conversation. */
  has(turn: Turn, { name, version }: Skill): boolean {
    return this.#sessions.get(keyOf(turn))?.get(name) === version
  }

  /** Marks the skill as loaded. */
  add(turn: Turn, { name, version }: Skill): void {
    const key = keyOf(turn)
    const session = this.#sessions.get(key) ?? new Map<string, string>()
    session.set(name, version)
    this.#sessions.delete(key)
    this.#sessions.set(key, session)
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= maxSessions) return
      this.#sessions.delete(oldest)
    }
  }
}

const keyOf = ({ actor, session }: Turn): string => JSON.stringify([actor.did, session.id])

/** Maximum length of the instructions of one call together, in characters of JSON. */
const maxTogether = 150_000

const loadedSkill = z.object({
  name: z.string(),
  status: z.enum(['loaded', 'already_loaded', 'failed']),
  instructions: z.string().optional(),
  compatibility: z.string().optional(),
  files: z.array(z.string()).optional(),
  note: z.string().optional(),
})

export const loadSkillTool = (store: SkillStore) => {
  const loaded = new LoadedSkills()
  return defineTool({
    description: 'Returns the instructions of one or several skills, and the paths of their other files.',
    effect: 'read',
    input: z.object({ names: z.array(z.string().max(100)).min(1).max(10) }),
    output: z.object({ skills: z.array(loadedSkill) }),
    async execute({ names }, { turn }) {
      const set = await store.read()
      const wanted = [...new Set(names.map(plainName))]
      if (!wanted.some(name => set.skills.has(name))) throw new ToolFailure(unknownSkill(names[0]!, set))
      const skills: z.output<typeof loadedSkill>[] = []
      const fresh: Skill[] = []
      let length = 0
      for (const name of wanted) {
        const skill = set.skills.get(name)
        if (!skill) {
          skills.push({ name, status: 'failed', note: unknownSkill(name, set) })
        } else if (loaded.has(turn, skill)) {
          skills.push({ name, status: 'already_loaded', note: alreadyThere })
        } else if (fresh.length > 0 && length + lengthOf(skill) > maxTogether) {
          skills.push({ name, status: 'failed', note: 'Too long together with the others. Load it separately.' })
        } else {
          fresh.push(skill)
          length += lengthOf(skill)
          skills.push(await contentOf(skill))
        }
      }
      for (const skill of fresh) loaded.add(turn, skill)
      return { skills }
    },
  })
}

const alreadyThere =
  'The instructions were loaded earlier in this conversation. Use read_skill_file with the path SKILL.md to show them again.'

const lengthOf = ({ instructions }: Skill): number => JSON.stringify(instructions).length

const contentOf = async ({ name, folder, compatibility, instructions }: Skill) => {
  const { paths, isCut } = await listSkillFiles(folder)
  const files = paths.filter(path => path !== 'SKILL.md')
  return {
    name,
    status: 'loaded' as const,
    compatibility,
    instructions,
    ...(files.length === 0 ? {} : { files }),
    ...(isCut ? { note: `It has more files than the ${files.length} listed ones; the others cannot be read.` } : {}),
  }
}
