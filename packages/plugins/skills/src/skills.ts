import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { definePlugin, provide } from '@sibyl/plugin'
import { codeRunner, type ServiceOf, skillLibrary } from '@sibyl/protocol'
import { z } from 'zod'
import { listSkillsTool } from './list-skills-tool.ts'
import { loadSkillTool } from './load-skill-tool.ts'
import { manifest } from './manifest.ts'
import { readSkillFileTool } from './read-skill-file-tool.ts'
import { runSkillScriptTool } from './run-skill-script-tool.ts'
import { createSkillStore, plainName, type SkillStore } from './skill-store.ts'

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

const skillsEnv = z.object({
  SKILLS_DIR: z.string().refine(isFolder, 'not a folder that can be read').optional().meta({
    description: 'A folder with one subfolder per skill, each with a SKILL.md.',
    example: './skills',
    defaultText: '`skills` in the working folder, if it exists',
  }),
})

/** The bundled skills, beside `src` and `dist`. */
const bundled = fileURLToPath(new URL('../skills/', import.meta.url))

const instructions =
  'Skills are written instructions for special tasks. Before such a task call list_skills; if one fits, load it with load_skill and follow it.'

/**
 * Loads instructions for special tasks on demand: folders with a `SKILL.md` of the open Agent Skills format.
 *
 * @example
 * await createOracleApp({ config, plugins: [skills()] })
 */
export const skills = () =>
  definePlugin({
    name: 'skills',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: skillsEnv,
    uses: ['sandbox'],
    async setup({ env, clock, log, optionalService }) {
      const folder = resolve(env.SKILLS_DIR ?? 'skills')
      const store = createSkillStore({ folder, isOptional: env.SKILLS_DIR === undefined, bundled, clock, log })
      await store.read()
      return {
        instructions,
        services: [provide(skillLibrary, libraryOf(store))],
        tools: {
          list_skills: listSkillsTool(store),
          load_skill: loadSkillTool(store),
          read_skill_file: readSkillFileTool(store),
          run_skill_script: runSkillScriptTool(store, optionalService(codeRunner)),
        },
      }
    },
  })

const libraryOf = (store: SkillStore): ServiceOf<typeof skillLibrary> => ({
  list: async () => [...(await store.read()).skills.values()].map(({ name, description }) => ({ name, description })),
  read: async name => (await store.read()).skills.get(plainName(name))?.instructions,
})
