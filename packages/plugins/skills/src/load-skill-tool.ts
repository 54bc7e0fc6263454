import { defineTool, ToolFailure } from '@sibyl/plugin'
import { z } from 'zod'
import { plainName, unknownSkill } from './find-skill.ts'
import type { LoadedSkills } from './loaded-skills.ts'
import type { Skill } from './scan-skills.ts'
import { listSkillFiles } from './skill-files.ts'
import type { SkillShelf } from './skill-shelf.ts'

/** Longest instructions of one call together, in characters of JSON. */
const mostTogether = 150_000

const loadedSkill = z.object({
  name: z.string(),
  status: z.enum(['loaded', 'already_loaded', 'failed']),
  instructions: z.string().optional(),
  compatibility: z.string().optional(),
  files: z.array(z.string()).optional(),
  note: z.string().optional(),
})

/** The tool `load_skill`. */
export const loadSkillTool = (shelf: SkillShelf, loaded: LoadedSkills) =>
  defineTool({
    description: 'Gives the instructions of skills, several at once, and the paths of their further files.',
    effect: 'read',
    input: z.object({ names: z.array(z.string().max(100)).min(1).max(10) }),
    output: z.object({ skills: z.array(loadedSkill) }),
    async execute({ names }, { turn }) {
      const set = await shelf.read()
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
        } else if (fresh.length > 0 && length + lengthOf(skill) > mostTogether) {
          skills.push({ name, status: 'failed', note: 'Too long together with the others. Load it by itself.' })
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

const alreadyThere =
  'Its instructions stand earlier in this conversation. read_skill_file with the path SKILL.md shows them again.'

const lengthOf = ({ instructions }: Skill): number => JSON.stringify(instructions).length

const contentOf = async ({ name, folder, compatibility, instructions }: Skill) => {
  const { paths, isCut } = await listSkillFiles(folder)
  const files = paths.filter(path => path !== 'SKILL.md')
  return {
    name,
    status: 'loaded' as const,
    ...(compatibility === undefined ? {} : { compatibility }),
    instructions,
    ...(files.length === 0 ? {} : { files }),
    ...(isCut ? { note: `It has more files than the ${files.length} that are shown; the others cannot be read.` } : {}),
  }
}
